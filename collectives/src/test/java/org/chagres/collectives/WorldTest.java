package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorldTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7 })
    void allReduce(final int size) {
        try (World world = World.threads(size)) {
            world.run(c -> {
                for (long count : new long[]{0, 1, 3, 1000, 4096, 5001, 1 << 20 }) {
                    try (Buffer in = c.allocate(DataType.FLOAT32, count);
                            Buffer out = c.allocate(DataType.FLOAT32, count)) {
                        for (int round = 0; round < 3; round++) {
                            for (long i = 0; i < count; i++) {
                                in.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (c.rank() + i % 7 + round));
                            }
                            c.allReduce(in, out, ReduceOp.SUM);
                            for (long i = 0; i < count; i++) {
                                assertEquals((float) (size * (size - 1) / 2 + size * (i % 7 + round)),
                                        out.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i));
                            }
                            c.barrier();
                        }
                    }
                }
            });
        }
    }
}
