package io.weir.benchmarks.decisions.cases;

import com.sun.management.ThreadMXBean;
import io.weir.Decision;
import io.weir.Key;
import io.weir.benchmarks.decisions.peers.CallerNames;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * The requests of one thread: the next caller, and whether all callers got the right answer.
 *
 * <p>Each thread walks through all callers (through a million of them, if there are more) in a
 * random order of its own. The callers' names lie in memory in that order, so the processor has
 * them at hand, as it has the name that a request has just brought; what a limiter holds of the
 * caller it has to find.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class RequestSequence {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int MAX = 1_000_000;

  /** The number of requests in an iteration. */
  public long requests;

  /** The processor's time that they took on this thread: what others run doesn't count. */
  public long cpuNanos;

  /** The bytes allocated on this thread; flushes and other threads don't count. */
  public long bytes;

  private String[] texts = {};
  private Key[] keys = {};
  private PeerOnlyRequest[] calls = {};
  private int next;
  private long asked;
  private long cpuFrom;
  private long bytesFrom;
  private long wrong;

  /** Makes all names, with their hashes. */
  @Setup
  public void make(CallerNames callers, ThreadParams thread) {
    texts = callers.sample(thread.getThreadIndex(), MAX);
    keys = CallerNames.made(texts);
    calls = Stream.of(texts).map(PeerOnlyRequest::new).toArray(PeerOnlyRequest[]::new);
    for (String text : texts) {
      expect(text.hashCode() != 0);
    }
  }

  /** Starts counting; not in the public fields, which JMH sets to zero later. */
  @Setup(Level.Iteration)
  public void begin() {
    asked = 0;
    cpuFrom = THREADS.getCurrentThreadCpuTime();
    bytesFrom = allocated();
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Fails if anybody got the wrong answer while it was measured: it wasn't what it seems then. */
  @TearDown(Level.Iteration)
  public void check(IterationParams iteration) {
    bytes = allocated() - bytesFrom;
    cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuFrom;
    requests = asked;
    if (wrong > 0 && iteration.getType() == IterationType.MEASUREMENT) {
      throw new IllegalStateException(wrong + " answers were wrong");
    }
    wrong = 0;
  }

  String text() {
    return texts[advance()];
  }

  /** Returns a new one, as it comes from a container. */
  String newText() {
    return new String(text().toCharArray());
  }

  Key key() {
    return keys[advance()];
  }

  PeerOnlyRequest call() {
    return calls[advance()];
  }

  private int advance() {
    asked++;
    int now = next;
    next = now + 1 == texts.length ? 0 : now + 1;
    return now;
  }

  Decision admitted(Decision decision) {
    expect(decision.admitted() && !decision.degraded());
    return decision;
  }

  Decision refused(Decision decision) {
    expect(!decision.admitted() && !decision.degraded());
    return decision;
  }

  /** Notes an answer that should be yes. */
  void expect(boolean yes) {
    wrong += yes ? 0 : 1;
  }
}
