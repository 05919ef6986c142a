package org.chagres.bench.compare;
import picocli.CommandLine.Command;
@Command(name="compare") public final class CompareCommand implements Runnable { @Override public void run(){} }
