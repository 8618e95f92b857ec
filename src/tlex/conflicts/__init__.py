"""Contradictions: where they are, which links make them, and which links to give up.

=============== ===================================================================================
`cycles`        closed walks that prove a contradiction
`irreducible`   sets of links that contradict each other, and none of which can be spared
`naming`        conflicts in the annotator's own ids
`knots`         the contradictory pieces of a document, which can be repaired one by one
`hitting`       minimum hitting sets: the least costly links that meet every known conflict
`minimum`       the minimum repair of a knot
=============== ===================================================================================
"""
