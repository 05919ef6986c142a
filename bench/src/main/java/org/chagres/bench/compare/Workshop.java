package org.chagres.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.chagres.bench.Machine;

/** A temporary folder with the C programs built in it; closing deletes it. */
final class Workshop implements AutoCloseable {
    private static final List<String> SOURCES = List.of("measure.h", "mpi_allreduce.c", "baseline_allreduce.c",
            "handover.c");
    private static final List<String> VADER = List.of("--mca", "btl", "self,vader");

    private final Path folder;
    private final Consumer<String> log;

    /** @param log told, in one line each, what is missing and how to get it */
    Workshop(final Consumer<String> log) {
        this.log = log;
        try {
            folder = Files.createTempDirectory("chagres-compare");
            for (final String source : SOURCES) {
                try (InputStream in = Workshop.class.getResourceAsStream("/org/chagres/bench/c/" + source)) {
                    Files.copy(in, folder.resolve(source));
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot unpack the C programs: " + e.getMessage(), e);
        }
    }

    Path folder() {
        return folder;
    }

    /** The MPI implementations that are installed. */
    List<Contender> peers(final int ranks, final Sweep sweep) {
        final List<Contender> peers = new ArrayList<>();
        build("mpicc.openmpi", "mpi_allreduce", "openmpi", "openmpi-bin libopenmpi-dev").ifPresent(program -> {
            peers.add(CProgram.of("Open MPI", openMpi(ranks, program, VADER), sweep));
            final List<String> sm = Stream.concat(VADER.stream(), Stream.of("--mca", "coll_sm_priority", "100"))
                    .toList();
            peers.add(CProgram.of("Open MPI coll/sm", openMpi(ranks, program, sm), sweep));
        });
        build("mpicc.mpich", "mpi_allreduce", "mpich", "mpich libmpich-dev").ifPresent(
                program -> peers.add(
                        CProgram.of("MPICH", List.of("mpirun.mpich", "-np", Integer.toString(ranks), program), sweep)));
        return peers;
    }

    /** The same algorithms in C; they are written for two ranks. */
    Optional<Contender> baseline(final int ranks, final Sweep sweep) {
        return ranks != 2
                ? Optional.empty()
                : build("cc", "baseline_allreduce", "c", "gcc libc6-dev")
                        .map(program -> CProgram.of("C", List.of(program), sweep));
    }

    /** The program that times the handover of a cache line. */
    Optional<String> handover() {
        return build("cc", "handover", "c", "gcc libc6-dev");
    }

    private Optional<String> build(final String compiler, final String source, final String suffix,
            final String packages) {
        if (!Tool.exists(compiler)) {
            log.accept("# " + compiler + " is missing: to include it, install Debian's " + packages);
            return Optional.empty();
        }
        final String program = folder.resolve(source + "-" + suffix).toString();
        try {
            Tool.run(
                    List.of(compiler, "-O3", "-march=native", "-o", program, folder.resolve(source + ".c").toString()));
            return Optional.of(program);
        } catch (final ContenderException e) {
            log.accept("# " + source + ".c is left out: " + e.getMessage() + "; is one of " + packages + " missing?");
            return Optional.empty();
        }
    }

    private static List<String> openMpi(final int ranks, final String program, final List<String> settings) {
        final List<String> command = new ArrayList<>(List.of("mpirun.openmpi", "-np", Integer.toString(ranks)));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--allow-run-as-root");
        }
        if (ranks > Machine.cores()) {
            command.addAll(List.of("--oversubscribe", "--mca", "mpi_yield_when_idle", "1"));
        }
        command.addAll(settings);
        command.add(program);
        return command;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (final IOException e) {
            log.accept("# cannot delete " + folder + ": " + e.getMessage());
        }
    }
}
