package org.chagres.collectives.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TwoTreesTest {
    @Test
    void bothAreTreesAndComplementEachOther() {
        for (int size = 2; size <= 70; size++) {
            for (final int root : new int[]{0, size / 3, size - 1 }) {
                check(new TwoTrees(size, root));
            }
        }
    }

    private static void check(final TwoTrees trees) {
        int leavesOfBoth = 0;
        for (int rank = 0; rank < trees.size(); rank++) {
            int inner = 0;
            for (int tree = 0; tree < TwoTrees.TREES; tree++) {
                for (final int child : trees.children(tree, rank)) {
                    assertEquals(rank, trees.parent(tree, child), trees::toString);
                }
                assertEquals(rank == trees.root(), trees.parent(tree, rank) < 0, trees::toString);
                assertTrue(trees.depth(tree, rank) <= trees.height(), trees::toString);
                inner += trees.children(tree, rank).isEmpty() ? 0 : 1;
            }
            assertTrue(inner <= 1 || rank == trees.root(), () -> trees + " has a rank with children in both");
            leavesOfBoth += inner == 0 ? 1 : 0;
        }
        assertTrue(leavesOfBoth <= 1, trees::toString);
        assertTrue(trees.height() <= Integer.SIZE - Integer.numberOfLeadingZeros(trees.size() - 1), trees::toString);
        assertEquals(2 * (trees.size() - 1), children(trees), trees::toString);
    }

    private static int children(final TwoTrees trees) {
        int children = 0;
        for (int rank = 0; rank < trees.size(); rank++) {
            children += trees.children(0, rank).size() + trees.children(1, rank).size();
        }
        return children;
    }
}
