"""The paper's five steps, one module each; none of them knows another.

=== ================= ===== ===========================================================
1   `partition`       §3.2  the temporally connected components
2   `transform`       §3.3  intervals become time-points under ``<`` and ``=``
3   `consistency`     §3.4  equal points merge; what remains must have no cycle
4   `generation`      §3.5  the minimum timeline
5   `indeterminacy`   §3.6  what the order leaves open
=== ================= ===== ===========================================================
"""
