package io.weir.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * The processor time and allocation of threads, without the JVM's own threads, its compilers and
 * collectors.
 *
 * <p>Immutable.
 *
 * @param cpuNanos in nanoseconds, in the kernel as well
 * @param bytes allocated on the heap
 */
public record Work(long cpuNanos, long bytes) {
  /** Nothing. */
  public static final Work NONE = new Work(0, 0);

  private static final int MAX_THREADS = 4_096;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Returns the work of the calling thread since it started. */
  public static Work ofThisThread() {
    return new Work(THREADS.getCurrentThreadCpuTime(), THREADS.getCurrentThreadAllocatedBytes());
  }

  /** Returns both together. */
  public Work plus(Work other) {
    return new Work(cpuNanos + other.cpuNanos, bytes + other.bytes);
  }

  private Work minus(Work other) {
    return new Work(cpuNanos - other.cpuNanos, bytes - other.bytes);
  }

  private static Map<Long, Work> ofEachThread(ThreadGroup group) {
    long[] ids = idsOf(group);
    long[] cpu = THREADS.getThreadCpuTime(ids);
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Work> each = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (cpu[i] >= 0) {
        each.put(ids[i], new Work(cpu[i], bytes[i]));
      }
    }
    return each;
  }

  private static long[] idsOf(ThreadGroup group) {
    Thread[] all = new Thread[MAX_THREADS];
    int count = root(group).enumerate(all);
    if (count == MAX_THREADS) {
      throw new IllegalStateException("more threads than can be watched");
    }
    return Arrays.stream(all, 0, count)
        .filter(thread -> isOf(thread, group) && thread != Thread.currentThread())
        .mapToLong(Thread::getId)
        .toArray();
  }

  private static ThreadGroup root(ThreadGroup group) {
    ThreadGroup parent = group.getParent();
    return parent == null ? group : root(parent);
  }

  private static boolean isOf(Thread thread, ThreadGroup group) {
    ThreadGroup its = thread.getThreadGroup();
    return thread instanceof ForkJoinWorkerThread || its != null && group.parentOf(its);
  }

  /**
   * Watches the work of a group's threads and the common pool's from now on, except for the
   * watching thread and those that end before the next look. A thread belongs to the group of the
   * thread that started it, unless it says otherwise.
   *
   * <p>Confine to one thread.
   */
  public static final class Watch {
    private final ThreadGroup group;
    private final Map<Long, Work> before;

    /** Begins. */
    public Watch(ThreadGroup group) {
      this.group = group;
      this.before = ofEachThread(group);
    }

    /** Returns their work since. */
    public Work sofar() {
      Work sum = NONE;
      for (Map.Entry<Long, Work> each : ofEachThread(group).entrySet()) {
        sum = sum.plus(each.getValue().minus(before.getOrDefault(each.getKey(), NONE)));
      }
      return sum;
    }
  }
}
