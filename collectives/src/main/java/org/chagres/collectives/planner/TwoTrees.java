package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;

/**
 * Two binary trees over all ranks that share their root and in which a rank with children in one is, but for one rank at most, a leaf of the
 * other, so that each carries half of the data and nobody sends more than all of it one way (Sanders, Speck and Träff, 2009).
 *
 * <p>
 * The first is the in-order tree: a node whose lowest set bit is b has its children b/2 to either side, so odd nodes are leaves. The second
 * renumbers all but the root so that odd and even change places.
 */
record TwoTrees(int size, int root) {
    static final int TREES = 2;

    /** The parent of {@code rank}, or -1 for the root. */
    int parent(final int tree, final int rank) {
        final int node = node(tree, rank);
        if (node == 0) {
            return -1;
        }
        final int bit = Integer.lowestOneBit(node);
        final int up = (node ^ bit) | (bit << 1);
        return rank(tree, up < size ? up : node ^ bit);
    }

    List<Integer> children(final int tree, final int rank) {
        final int node = node(tree, rank);
        final List<Integer> children = new ArrayList<>(2);
        final int step = node == 0 ? Integer.highestOneBit(size - 1) : Integer.lowestOneBit(node) / 2;
        if (step > 0) {
            addChild(children, tree, rank, node - step);
            for (int right = step; right > 0 && children.size() < 2; right /= 2) {
                addChild(children, tree, rank, node + right);
            }
        }
        return children;
    }

    private void addChild(final List<Integer> children, final int tree, final int rank, final int node) {
        if (node > 0 && node < size && parent(tree, rank(tree, node)) == rank) {
            children.add(rank(tree, node));
        }
    }

    /** Edges from the root to {@code rank}. */
    int depth(final int tree, final int rank) {
        int depth = 0;
        for (int at = rank; parent(tree, at) >= 0; at = parent(tree, at)) {
            depth++;
        }
        return depth;
    }

    /** Edges from the root to the farthest rank, in either tree: both have the same form. */
    int height() {
        int height = 0;
        for (int rank = 0; rank < size; rank++) {
            height = Math.max(height, depth(0, rank));
        }
        return height;
    }

    private int node(final int tree, final int rank) {
        final int label = Math.floorMod(rank - root, size);
        if (tree == 0 || label == 0) {
            return label;
        }
        return size % 2 == 1 ? size - label : label % (size - 1) + 1;
    }

    private int rank(final int tree, final int node) {
        int label = node;
        if (tree == 1 && node > 0) {
            label = size % 2 == 1 ? size - node : Math.floorMod(node - 2, size - 1) + 1;
        }
        return (label + root) % size;
    }
}
