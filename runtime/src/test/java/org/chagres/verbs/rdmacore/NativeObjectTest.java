package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NativeObjectTest {
    private final List<Thing> destroyed = new ArrayList<>();

    private final class Thing extends NativeObject {
        private final String name;
        private final List<Thing> owners;
        private boolean stuck;

        Thing(final String name, final Thing... owners) {
            super(owners);
            this.name = name;
            this.owners = List.of(owners);
            adopted();
        }

        @Override
        void destroy() {
            if (stuck) {
                throw new VerbsException(name + " is busy", "destroy_" + name, 16);
            }
            destroyed.add(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** In random graphs, nothing is destroyed before all that depends on it, and everything is destroyed once. */
    @Test
    void dependentsGoFirst() {
        final Random random = new Random(9);
        for (int round = 0; round < 500; round++) {
            destroyed.clear();
            final List<Thing> things = new ArrayList<>(List.of(new Thing("root")));
            for (int i = 1; i < 20; i++) {
                final Thing[] owners = new Thing[1 + random.nextInt(3)];
                for (int o = 0; o < owners.length; o++) {
                    owners[o] = things.get(random.nextInt(things.size()));
                }
                things.add(new Thing("thing " + i, owners));
            }
            final Thing early = things.get(1 + random.nextInt(19));
            early.close();
            early.close();
            things.getFirst().close();
            assertEquals(20, destroyed.size());
            for (final Thing thing : things) {
                assertTrue(thing.isClosed());
                for (final Thing owner : thing.owners) {
                    assertTrue(destroyed.indexOf(thing) < destroyed.indexOf(owner), thing + " after " + owner);
                }
            }
        }
    }

    @Test
    void whatCannotGoStaysOpenAndSoDoItsOwners() {
        final Thing root = new Thing("root");
        final Thing middle = new Thing("middle", root);
        final Thing stuck = new Thing("stuck", middle);
        final Thing free = new Thing("free", middle);
        stuck.stuck = true;
        final VerbsException refused = assertThrows(VerbsException.class, root::close);
        assertTrue(refused.getMessage().contains("root stays open") && refused.getMessage().contains("stuck is busy"),
                refused.getMessage());
        assertEquals(16, refused.errno());
        assertTrue(free.isClosed());
        assertFalse(root.isClosed() || middle.isClosed() || stuck.isClosed());
        root.checkOpen();
        stuck.stuck = false;
        root.close();
        assertEquals(List.of(free, stuck, middle, root), destroyed);
        assertTrue(
                assertThrows(IllegalStateException.class, middle::checkOpen).getMessage().contains("middle is closed"));
        assertThrows(IllegalStateException.class, () -> root.locked(() -> 1));
    }

    /** Threads that make children and one that closes the root: no child is left open. */
    @Test
    void noChildIsBornIntoAClosedParent() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            final Thing root = new Thing("root");
            final List<Thing> born = java.util.Collections.synchronizedList(new ArrayList<>());
            final Thread maker = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 10_000; i++) {
                        born.add(root.locked(() -> new Thing("child", root)));
                    }
                } catch (final IllegalStateException closed) {
                    return;
                }
            });
            while (born.isEmpty()) {
                Thread.onSpinWait();
            }
            root.close();
            maker.join();
            assertTrue(born.stream().allMatch(NativeObject::isClosed));
        }
    }
}
