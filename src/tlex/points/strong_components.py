"""Strongly connected components: nodes of a directed graph that lie on a common cycle."""

from __future__ import annotations

__all__ = ["find_strong_components"]


def find_strong_components(following: list[list[int]]) -> tuple[list[int], list[list[int]]]:
    """Return each node's strongly connected component, and each component's nodes.

    ``following`` lists the successors of each node. Tarjan's algorithm with an explicit stack.
    Linear.
    """
    count = len(following)
    seen = [0] * count  # order of discovery from 1; 0 means unseen
    low = [0] * count
    component_of = [-1] * count
    components: list[list[int]] = []
    pending: list[int] = []
    clock = 0
    for start in range(count):
        if seen[start]:
            continue
        if not following[start]:
            clock += 1
            seen[start] = clock
            component_of[start] = len(components)
            components.append([start])
            continue
        stack = [(start, iter(following[start]))]
        clock += 1
        seen[start] = low[start] = clock
        pending.append(start)
        while stack:
            number, others = stack[-1]
            for after in others:
                if not seen[after]:
                    clock += 1
                    seen[after] = low[after] = clock
                    pending.append(after)
                    stack.append((after, iter(following[after])))
                    break
                if component_of[after] < 0:
                    low[number] = min(low[number], seen[after])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[number])
                if low[number] == seen[number]:
                    component: list[int] = []
                    while not component or component[-1] != number:
                        component.append(pending.pop())
                        component_of[component[-1]] = len(components)
                    components.append(component)
    return component_of, components
