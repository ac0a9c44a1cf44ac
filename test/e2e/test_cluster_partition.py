"""Real partitions between network namespaces: both ways, and one way only."""

import unittest

from harness.namespaces import SETTLE_S, SeparateManagers, usable
from harness.waiting import until


@unittest.skipUnless(usable(), "needs root, ip and iptables")
class Partition(unittest.TestCase):
    def setUp(self):
        self.group = self.enterContext(SeparateManagers())

    def cut(self, *chains):
        first = self.group.settled()
        term = self.group.standing(first)["term"]
        self.group.drop(first, *chains)
        rest = [name for name in self.group.names if name != first]
        second = self.group.settled(rest)
        until(lambda: not self.group.standing(first)["leads"], "who is cut off leads nobody", timeout_s=SETTLE_S)
        self.assertGreater(self.group.standing(second)["term"], term)
        self.group.heal(first)
        last = self.group.settled()
        until(lambda: all(member["state"] == "alive" for name in self.group.names
                          for member in self.group.standing(name)["members"]), "all alive again", timeout_s=SETTLE_S)
        return first, second, last

    def test_a_leader_that_is_cut_off_is_replaced_and_comes_back_as_a_follower(self):
        first, second, last = self.cut("INPUT", "OUTPUT")
        self.assertEqual(last, second)
        self.assertNotEqual(last, first)

    def test_a_leader_that_hears_nothing_stops_leading_although_all_hear_it(self):
        self.cut("INPUT")

    def test_a_leader_that_nobody_hears_stops_leading(self):
        self.cut("OUTPUT")


if __name__ == "__main__":
    unittest.main()
