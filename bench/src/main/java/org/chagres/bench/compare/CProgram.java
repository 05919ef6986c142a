package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A program built from {@code bench/src/main/c}; it prints lines of way, bytes and microseconds.
 *
 * @param library whose all_reduce it calls: several programs may try a library's several ways
 */
record CProgram(String library, String name, List<String> command) implements Contender {
    /** @param prefix the program with its first arguments and, before it, whatever starts it */
    static CProgram of(final String library, final String name, final List<String> prefix, final Sweep sweep) {
        final List<String> command = new ArrayList<>(prefix);
        command.add(Long.toString(sweep.first()));
        command.add(Long.toString(sweep.last()));
        command.add(Integer.toString(sweep.factor()));
        return new CProgram(library, name, command);
    }

    @Override
    public void round(final Samples samples) {
        for (final String line : Tool.run(command)) {
            final String[] words = line.strip().split("\\s+", -1);
            if (words.length != 3) {
                throw new ContenderException("unexpected output: " + line);
            }
            samples.add(Way.valueOf(words[0].toUpperCase(Locale.ROOT)), Long.parseLong(words[1]),
                    Double.parseDouble(words[2]));
        }
    }
}
