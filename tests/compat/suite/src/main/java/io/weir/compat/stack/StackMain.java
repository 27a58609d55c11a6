package io.weir.compat.stack;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the application of a stack in its own process, as {@link StackProcess} commands: each line
 * that it reads is a command, each answer a line that begins with {@link #ANSWER}. Uses nothing but
 * the JDK, since the process has only the libraries of its stack.
 */
public final class StackMain {
  static final String START = "start";
  static final String STOP = "stop";
  static final String COUNT = "count allocated bytes";
  static final String ANSWER = "stack: ";
  static final String STARTED = ANSWER + "started ";
  static final String STOPPED = ANSWER + "stopped";
  static final String ALLOCATED = ANSWER + "allocated ";
  static final String FAILED = ANSWER + "failed ";

  /** The bytes that each thread had allocated when they were counted last. */
  private static final Map<Long, Long> COUNTED = new HashMap<>();

  private static long allocated;

  private StackMain() {}

  /**
   * Runs the application until the input ends.
   *
   * @param application the application
   * @throws IOException if the input can't be read
   */
  public static void run(StackApplication application) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    AutoCloseable running = () -> {};
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      try {
        if (command.equals(START)) {
          int port = Ports.free();
          running = application.start(port);
          System.out.println(STARTED + "http://127.0.0.1:" + port);
        } else if (command.equals(COUNT)) {
          System.out.println(ALLOCATED + allocatedBytes());
        } else {
          running.close();
          running = () -> {}; // or it would hold what has been stopped
          System.out.println(STOPPED);
        }
      } catch (Throwable failure) { // also of a class that is missing
        failure.printStackTrace();
        System.out.println(FAILED + failure);
      }
    }
    System.exit(0); // whatever threads the stack has left
  }

  /**
   * Adds up what all threads have allocated, but for the last that one allocates before it ends.
   */
  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] > 0) { // negative once the thread has ended
        Long before = COUNTED.put(ids[i], bytes[i]);
        allocated += bytes[i] - (before == null ? 0 : before);
      }
    }
    return allocated;
  }
}
