"""What the five steps work on, and the algorithms on it. No step, no document.

======================= ==========================================================================
`graphs`                intervals, time-points and compounds as integers and flat lists
`union_find`            groups of elements that pairs connect; equal points become compounds
`strong_components`     strongly connected components (Tarjan)
`tangles`               where a graph contradicts itself
`walks`                 walks along constraints with the fewest links: proofs, and
                        "does this link follow from the others?"
`reachability`          which compounds precede which, for many questions at once
======================= ==========================================================================
"""
