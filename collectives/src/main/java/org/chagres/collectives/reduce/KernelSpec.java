package org.chagres.collectives.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/**
 * What a copy of a kernel class is specialised for.
 *
 * <p>A kernel class is written once for a family of types and all operations, and loaded once for each spec, as
 * a hidden class whose class data is this record. Its {@code static final} fields then are constants to the JIT
 * compiler, which drops every branch but one and compiles each loop alone, with a profile of its own. That is what
 * keeps vectors in registers: where the compiler cannot see which operation it is, or does not inline it, each vector
 * becomes an object and the loop runs tens of times slower. For the same reason kernels have no methods that take or
 * return vectors: C2 inlines the JDK's own, which say so, always, but ours only until it has parsed
 * NodeCountInliningCutoff nodes, which a vector loop of some size exceeds. And where a loop carries a vector from
 * source to source, the one just loaded is the receiver of the operation: its class is known, without a profile.
 *
 * @param template the kernel class
 * @param type the type of the elements
 * @param kind the operation
 * @param pair whether there are always two sources; a kernel class may ignore it
 */
record KernelSpec(Class<? extends Kernel> template, DataType type, ReduceOp.Kind kind, boolean pair) {
    /** Loads a copy of the kernel class for this spec and makes its one instance. */
    Kernel specialize() {
        try {
            final MethodHandles.Lookup copy = MethodHandles.lookup()
                    .defineHiddenClassWithClassData(bytes(),
                            this, true);
            return (Kernel) copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class)).invoke();
        } catch (final Throwable e) {
            throw new LinkageError("cannot load " + this, e);
        }
    }

    /** The spec of a copy; called by its static initialiser. */
    static KernelSpec of(final MethodHandles.Lookup copy) {
        try {
            return MethodHandles.classData(copy, "_", KernelSpec.class);
        } catch (final IllegalAccessException e) {
            throw new LinkageError("no class data: " + copy.lookupClass(), e);
        }
    }

    private byte[] bytes() {
        try (InputStream in = template.getResourceAsStream(template.getSimpleName() + ".class")) {
            return in.readAllBytes();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
