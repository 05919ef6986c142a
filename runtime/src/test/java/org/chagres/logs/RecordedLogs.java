package org.chagres.logs;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Keeps what is logged at WARN and above, for tests to count. */
public final class RecordedLogs implements SLF4JServiceProvider {
    private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /** Forgets all lines. */
    public static void clear() {
        LINES.clear();
    }

    /** The lines since the last {@link #clear} that contain {@code text}. */
    public static List<String> lines(final String text) {
        return LINES.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Recorder::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
    }

    private static final class Recorder extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        Recorder(final String name) {
            this.name = name;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(final Level level, final Marker marker, final String pattern,
                final Object[] arguments, final Throwable throwable) {
            final String line = level + " " + name + ": " + MessageFormatter.basicArrayFormat(pattern, arguments);
            LINES.add(line);
            System.err.println(line);
            if (throwable != null) {
                throwable.printStackTrace();
            }
        }
    }
}
