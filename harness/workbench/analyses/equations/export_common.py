

def _table(table, given, what):
    """Values by name."""
    values = {name: entry[0] for name, entry in table.items()}
    if isinstance(given, dict):
        for name in given:
            if name not in values:
                raise KeyError(f"{name} is none of the {what}: {', '.join(values)}")
        values.update(given)
    elif given is not None:
        given = _listed(given)
        if len(given) != len(values):
            raise ValueError(f"{len(given)} {what}; there are {len(values)}")
        values = dict(zip(values, given))
    return values


def _call(m, given, name, names, arguments, load):
    """The results of an external function. Where a load acts, it is the last: from the function, or the given one."""
    function = (calls if given is None else given).get(name)
    if function is None:
        if hasattr(m, "returned"):
            return m.returned(names)
        raise ValueError(f'calls["{name}"] is not set; the table calls lists its arguments and results')
    values = _listed(function(*arguments))
    if load is not None and len(values) == len(names) - 1:
        values.append(load)
    if len(values) != len(names):
        raise ValueError(f'calls["{name}"] returned {len(values)} values; it must return {len(names)}')
    return values
