"""Every table of a result as rows, made slowly from its plain data: the judge of the fast way."""

from __future__ import annotations

from math import log10
from typing import Any

import tlex

Rows = list[dict[str, Any]]


def list_rows(result: tlex.Extraction) -> dict[str, Rows]:
    """Give all tables of a result, each as rows by the names of the columns."""
    record = result.record(pairs=True)
    timeline_of = {name: timeline for timeline in record.timelines for name in timeline.intervals}
    return {
        "nodes": [
            _node(number, node, timeline_of[node.id]) for number, node in enumerate(record.nodes)
        ],
        "points": [
            _point(node.id, side, sign, timeline_of[node.id])
            | _date(result.timeline_of(node.id).dates.get(node.id + sign))
            for node in record.nodes
            for side, sign in (("start", "-"), ("end", "+"))
        ],
        "links": [
            {
                "number": number,
                **_take(link, "id", "kind", "type", "source", "target", "signal", "weight"),
                "source_timeline": timeline_of[link.source].id
                if link.source in timeline_of
                else None,
                "target_timeline": timeline_of[link.target].id
                if link.target in timeline_of
                else None,
                "left_out": number in result.repair,
            }
            for number, link in enumerate(result.document.links)
        ],
        "timelines": [_timeline(timeline, record.nodes) for timeline in record.timelines],
        "branches": [
            _branch(timeline, record.connections)
            for timeline in record.timelines
            if not timeline.main
        ],
        "sections": [
            {
                "timeline": timeline.id,
                "section": number,
                "first": section.first,
                "last": section.last,
                "point_count": len(section.points),
                "distinct_point_count": _count_distinct(section.points, timeline.compounds),
                "main": timeline.main,
            }
            for timeline in record.timelines
            for number, section in enumerate(timeline.sections)
        ],
        "conflicts": [
            {
                "conflict": number,
                "timeline": conflict.timeline,
                "kind": conflict.kind,
                "walk": str(conflict),
                "links": conflict.links,
                "minimal": conflict.minimal,
                "pattern": _name_pattern(conflict.minimal, result.document),
                "same": sum(conflict.same.values(), ()),
            }
            for number, conflict in enumerate(record.conflicts, 1)
        ],
        "diagnostics": [
            _take(one, "code", "severity", "line", "column", "message", "hint")
            for one in record.diagnostics
        ],
        "connections": [
            _take(*(one, "link", "type", "source", "target", "source_timeline", "target_timeline"))
            for one in record.connections
        ],
        "breaks": [
            _take(one, "first_timeline", "second_timeline", "first", "second", "words")
            for one in record.breaks
        ],
        "pairs": [
            {"timeline": timeline.id, "first": first, "second": second}
            for timeline in record.timelines
            for first, second in timeline.pairs
        ],
        "closure": _closure(result),
    }


def _node(number: int, node: Any, timeline: Any) -> dict[str, Any]:
    start, end = (timeline.points.get(node.id + sign) for sign in "-+")
    return {
        "number": number,
        **_take(node, "id", "kind", "type", "event", "text", "line", "column"),
        "span_start": node.span.start if node.span else None,
        "span_end": node.span.end if node.span else None,
        **_take(node, "value", "factuality"),
        "timeline": timeline.id,
        "start": start[0] if start else None,
        "end": end[0] if end else None,
        "start_slack": start[1] - start[0] if start else None,
        "end_slack": end[1] - end[0] if end else None,
        "world": node.world,
        **_date(node.date),
        "source": node.source or None,
    }


def _date(date: Any) -> dict[str, Any]:
    return {"date_after": date and date.after, "date_before": date and date.before}


def _point(node: str, side: str, sign: str, timeline: Any) -> dict[str, Any]:
    name = node + sign
    earliest, latest = timeline.points.get(name, (None, None))
    return {
        "timeline": timeline.id,
        "node": node,
        "side": side,
        "point": name,
        "earliest": earliest,
        "latest": latest,
        "slack": None if earliest is None else latest - earliest,
        "compound": _find(name, timeline.compounds),
        "section": _find(name, [section.points for section in timeline.sections]),
    }


def _timeline(timeline: Any, nodes: Any) -> dict[str, Any]:
    known = timeline.consistent
    inside = sum(len(section.points) for section in timeline.sections)
    return {
        **_take(timeline, "id", "main", "detached", "consistent"),
        "interval_count": len(timeline.intervals),
        "first": timeline.intervals[0],
        "length": timeline.length,
        "offset": timeline.offset,
        "tied_step_count": len(timeline.tied_steps) if known else None,
        "section_count": len(timeline.sections) if known else None,
        "section_points": inside if known else None,
        "indeterminate_pairs": timeline.indeterminate_pairs,
        "score": timeline.score,
        "slack": sum(b - a for a, b in timeline.points.values()) if known else None,
        "scenarios_log10": log10(timeline.scenarios.count) if known else None,
        "scenarios_exact": timeline.scenarios.exact if known else None,
        "mended_count": len(timeline.mended),
        **_span(timeline, nodes),
    }


def _span(timeline: Any, nodes: Any) -> dict[str, Any]:
    """What all nodes of a timeline are known to follow and to precede."""
    dates = [node.date for node in nodes if node.id in timeline.intervals]
    after = [date.after if date else None for date in dates]
    before = [date.before if date else None for date in dates]
    return {
        "date_after": min(after) if None not in after else None,
        "date_before": max(before) if None not in before else None,
    }


def _branch(timeline: Any, connections: Any) -> dict[str, Any]:
    leads = [one for one in connections if one.target_timeline == timeline.id]
    fields = ("link", "type", "source", "source_timeline", "target")
    return {
        "timeline": timeline.id,
        **_take(timeline, "detached", "consistent"),
        "interval_count": len(timeline.intervals),
        "length": timeline.length,
        "connection_count": len(leads),
        **(_take(leads[0], *fields) if leads else dict.fromkeys(fields)),
    }


def _closure(result: tlex.Extraction) -> Rows:
    closure = result.closure()
    place = result.document.index
    rows = [
        _take(one, "source", "type", "target", "name", "links")
        for one in (*closure.links, *closure.untyped)
    ]
    return sorted(rows, key=lambda row: (place[row["source"]], place[row["target"]]))


def _count_distinct(points: tuple[str, ...], compounds: Any) -> int:
    return len({_find(point, compounds, otherwise=point) for point in points})


def _name_pattern(links: tuple[str, ...], document: tlex.Document) -> str:
    first = {link.id: link for link in reversed(document.links)}
    return " + ".join(sorted(first[link].type or "" for link in links))


def _find(point: str, groups: Any, otherwise: Any = None) -> Any:
    return next((number for number, group in enumerate(groups) if point in group), otherwise)


def _take(thing: Any, *fields: str) -> dict[str, Any]:
    return {field: getattr(thing, field) for field in fields}
