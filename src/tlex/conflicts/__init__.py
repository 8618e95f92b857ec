"""Contradictions: where they are, which links make them, and which links to give up.

=============== ===================================================================================
`cycles`        closed walks that prove a contradiction
`irreducible`   sets of links that contradict each other, and none of which can be spared
`closed_walks`  shortest closed walks through a constraint
`listing`       the list of conflicts of a contradictory component
`naming`        the same in the annotator's own ids
`knots`         the contradictory pieces of a document, which can be repaired one by one
`narrowing`     the part of a graph in which it contradicts itself
`hitting`       minimum hitting sets: the least costly links that meet every known conflict
`choices`       the same for small problems, by trying
`minimum`       the minimum repair of a knot
`mending`       the repair under which a contradictory document has an order
`weights`       what it costs to remove a link
`certainty`     what holds after every minimum repair
`placement`     local search for a cheap repair of a tangle
`text_order`    the order of links that decides between repairs of the same cost
`work`          how much a search may do, counted so that it ends at the same place everywhere
=============== ===================================================================================
"""
