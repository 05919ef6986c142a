package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import org.chagres.bindings.verbs.verbs_context;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A C program, compiled against the installed headers, prints the size and offset of every field of every generated
 * struct and the value of every constant; each must be what the generated classes say.
 */
final class LayoutTest {
    private static final String REMEDY = "the installed headers differ from the bound ones: run jextract/generate";

    /** Lines of the C program beside the lines it must print. */
    private final List<String> statements = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void structsAndConstantsAreThoseOfTheHeaders(final JextractInputs library) throws Exception {
        CCompiler.assumeHeaders(library.headers());
        for (final String kind : List.of("struct", "union", "typedef")) {
            for (final String name : library.names(kind)) {
                addStruct(library, kind.equals("typedef") ? name : kind + " " + name, name);
            }
        }
        assertTrue(expected.size() > 2 * library.names("struct").size(), "too few lines to be all");
        for (final String name : library.names("constant")) {
            addConstant(name, library.generated(library.headerClass).getMethod(name).invoke(null));
        }
        assertEquals(String.join("\n", expected),
                String.join("\n", CCompiler.runProgram(library.library, program(library))),
                REMEDY);
    }

    private void addStruct(final JextractInputs library, final String type, final String name)
            throws ReflectiveOperationException {
        final Class<?> generated;
        try {
            generated = library.generated(name);
        } catch (final ClassNotFoundException scalar) {
            // A typedef of an integer has a constant layout in the header class and no class of its own.
            return;
        }
        final var layout = (GroupLayout) generated.getMethod("layout").invoke(null);
        if (name.equals("verbs_context")) {
            // It grows at its head, so only distances to its end are the same everywhere.
            addFields(layout, type, "", -verbs_context.context$offset(),
                    " - (long)offsetof(struct verbs_context, context)");
        } else {
            addLine(type, "(long)sizeof(" + type + ")", layout.byteSize());
            addFields(layout, type, "", 0, "");
        }
    }

    private void addFields(final GroupLayout group, final String type, final String path, final long base,
            final String origin) {
        long offset = base;
        for (final MemoryLayout member : group.memberLayouts()) {
            final var name = member.name().orElse("");
            final boolean anonymous = name.isEmpty() || name.startsWith("$anon$");
            final var field = anonymous ? path : path + (path.isEmpty() ? "" : ".") + name;
            if (!(member instanceof PaddingLayout)) {
                if (!anonymous) {
                    addLine(type + " " + field, "(long)offsetof(" + type + ", " + field + ")" + origin, offset);
                    addLine(type + " " + field, "(long)sizeof(((" + type + " *)0)->" + field + ")", member.byteSize());
                }
                if (member instanceof GroupLayout nested) {
                    addFields(nested, type, field, offset, origin);
                }
            }
            if (group instanceof StructLayout) {
                offset += member.byteSize();
            }
        }
    }

    private void addConstant(final String name, final Object value) {
        if (value instanceof Number number) {
            addLine(name, "(long)" + name, number.longValue());
        } else {
            throw new AssertionError(name + " is no number: " + value);
        }
    }

    private void addLine(final String label, final String expression, final long value) {
        statements.add("printf(\"" + label + " %ld\\n\", " + expression + ");");
        expected.add(label + " " + value);
    }

    private String program(final JextractInputs library) throws IOException {
        final var text = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        for (final String header : library.headers()) {
            text.append("#include <").append(header).append(">\n");
        }
        text.append("int main(void) {\n");
        statements.forEach(statement -> text.append("    ").append(statement).append('\n'));
        return text.append("    return 0;\n}\n").toString();
    }
}
