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
            "handover.c", "gloo_allreduce.cpp");
    private static final List<String> C = List.of("-O3", "-march=native");
    private static final List<String> CPP = List.of("-std=c++17", "-O2");
    private static final List<String> VADER = List.of("--mca", "btl", "self,vader");
    private static final List<String> TCP = List.of("--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include", "lo");
    private static final String MPI_SOURCE = "mpi_allreduce.c";
    private static final String MPI_PACKAGES = "openmpi-bin libopenmpi-dev";

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

    /** The ways of those libraries that are installed and know {@code transport}. */
    List<Contender> peers(final Transport transport, final int ranks, final Sweep sweep) {
        return switch (transport) {
            case SHM -> sharedMemoryPeers(ranks, sweep);
            case TCP -> tcpPeers(ranks, sweep);
        };
    }

    private List<Contender> sharedMemoryPeers(final int ranks, final Sweep sweep) {
        final List<Contender> peers = new ArrayList<>();
        build("mpicc.openmpi", C, MPI_SOURCE, "openmpi", MPI_PACKAGES).ifPresent(program -> {
            peers.add(CProgram.of("Open MPI", "Open MPI", openMpi(ranks, program, VADER), sweep));
            final List<String> sm = Stream.concat(VADER.stream(), Stream.of("--mca", "coll_sm_priority", "100"))
                    .toList();
            peers.add(CProgram.of("Open MPI", "Open MPI coll/sm", openMpi(ranks, program, sm), sweep));
        });
        build("mpicc.mpich", C, MPI_SOURCE, "mpich", "mpich libmpich-dev").ifPresent(program -> peers.add(CProgram.of(
                "MPICH", "MPICH", List.of("mpirun.mpich", "-np", Integer.toString(ranks), program), sweep)));
        return peers;
    }

    private List<Contender> tcpPeers(final int ranks, final Sweep sweep) {
        final List<Contender> peers = new ArrayList<>();
        build("mpicc.openmpi", C, MPI_SOURCE, "openmpi", MPI_PACKAGES).ifPresent(
                program -> peers.add(CProgram.of("Open MPI", "Open MPI", openMpi(ranks, program, TCP), sweep)));
        build("c++", CPP, "gloo_allreduce.cpp", "gloo", "g++ libgloo-dev", "-lgloo").ifPresent(program -> {
            for (final GlooWay way : GlooWay.values()) {
                peers.add(CProgram.of("Gloo", way.title(), way.command(program, ranks), sweep));
            }
        });
        return peers;
    }

    /** The same algorithms in C; they are written for two ranks that share memory. */
    Optional<Contender> baseline(final Transport transport, final int ranks, final Sweep sweep) {
        return transport != Transport.SHM || ranks != 2
                ? Optional.empty()
                : build("cc", C, "baseline_allreduce.c", "c", "gcc libc6-dev")
                        .map(program -> CProgram.of("C", "C", List.of(program), sweep));
    }

    /** The program that times the handover of a cache line. */
    Optional<String> handover() {
        return build("cc", C, "handover.c", "c", "gcc libc6-dev");
    }

    private Optional<String> build(final String compiler, final List<String> flags, final String source,
            final String suffix, final String packages, final String... libraries) {
        if (!Tool.exists(compiler)) {
            log.accept("# " + compiler + " is missing: to include it, install Debian's " + packages);
            return Optional.empty();
        }
        final String program = folder.resolve(source + "-" + suffix).toString();
        final List<String> command = new ArrayList<>(List.of(compiler));
        command.addAll(flags);
        command.addAll(List.of("-o", program, folder.resolve(source).toString()));
        command.addAll(List.of(libraries));
        try {
            Tool.run(command);
            return Optional.of(program);
        } catch (final ContenderException e) {
            log.accept("# " + source + " is left out: " + e.getMessage() + "; is one of " + packages + " missing?");
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
