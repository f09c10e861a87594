"""Own pandas tables: people with an id, numbers and categories; who knows whom; and a few labels.

The tables are made here. Read yours with pandas.read_csv instead.
"""

from __future__ import annotations

import numpy as np
import pandas

import scrl


def make_tables(people: int = 400) -> tuple[pandas.DataFrame, pandas.DataFrame, pandas.Series]:
    """People in three groups: features, pairs of ids, and the group of everybody."""
    random = np.random.default_rng(0)
    ids = [f"person-{i:03}" for i in range(people)]
    group = random.integers(0, 3, people)
    features = pandas.DataFrame({
        "visits": random.poisson(2 + 3 * group),
        "city": np.array(["Oslo", "Rome", "Lima", "Pune"])[(group + random.integers(0, 2, people)) % 4],
        "member": random.random(people) < 0.2 + 0.3 * group,
    }, index=ids)
    ends = random.integers(0, people, (12 * people, 2))
    kept = (ends[:, 0] != ends[:, 1]) & ((group[ends[:, 0]] == group[ends[:, 1]]) | (random.random(len(ends)) < 0.1))
    edges = pandas.DataFrame({"source": np.array(ids)[ends[kept, 0]], "target": np.array(ids)[ends[kept, 1]]})
    return features, edges, pandas.Series(np.array(["gold", "silver", "plain"])[group], index=ids)


def main() -> None:
    features, edges, truth = make_tables()
    known = truth.sample(30, random_state=0)  # by id: the others have no label
    clf = scrl.SCRLClassifier().fit(features, known, graph=edges)
    answers = clf.to_frame()
    print(answers.head(3).round(3).to_string())
    rest = truth.index.difference(known.index)
    print(f"right on {100 * (answers.loc[rest, 'label'] == truth[rest]).mean():.1f} % of {len(rest)} people")

    newcomer = pandas.DataFrame({"visits": [8], "city": ["Pune"], "member": [True]}, index=["person-new"])
    friends = [("person-new", person) for person in truth.index[truth == "plain"][:4]]
    print("a newcomer with four friends:", clf.predict(newcomer, graph=friends)[0])


if __name__ == "__main__":
    main()
