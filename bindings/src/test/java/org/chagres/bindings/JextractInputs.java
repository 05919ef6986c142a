package org.chagres.bindings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One library as jextract/generate binds it. */
enum JextractInputs {
    VERBS("verbs", "verbs_h", "infiniband/verbs.h"), RDMACM("rdmacm", "rdma_cma_h",
            "netinet/in.h rdma/rdma_cma.h"), CUDA("cuda", "cuda_h", "cuda.h");

    static final Path FOLDER = Path.of("..", "jextract");

    final String library;
    final String headerClass;
    private final String headers;

    JextractInputs(final String library, final String headerClass, final String headers) {
        this.library = library;
        this.headerClass = headerClass;
        this.headers = headers;
    }

    /** The system headers, in the order of inclusion. */
    String[] headers() {
        return headers.split(" ");
    }

    /** The names of one kind, such as function, in the include filter. */
    List<String> names(final String kind) throws IOException {
        final var option = "--include-" + kind + " ";
        return Files.readAllLines(FOLDER.resolve(library + ".filter"))
                .stream()
                .filter(line -> line.startsWith(option))
                .map(line -> line.substring(option.length()))
                .toList();
    }

    Class<?> generated(final String name) throws ClassNotFoundException {
        return Class.forName("org.chagres.bindings." + library + "." + name);
    }

    String generatedSource() throws IOException {
        return Files.readString(Path.of("src", "generated", "java", "org", "chagres", "bindings", library,
                headerClass + ".java"));
    }
}
