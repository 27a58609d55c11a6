package io.weir.grpc;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs the events of one call one after the other, in their order, whichever threads they come
 * from, and holds them back while something is decided. The thread that brings an event runs it,
 * unless another one is at work.
 *
 * <p>Safe for concurrent use.
 */
final class EventQueue {
  private final Deque<Runnable> waiting = new ArrayDeque<>(2);
  private boolean held;
  private boolean running;

  /** Runs an event after all earlier ones; passes on what it throws if it runs at once. */
  void add(Runnable event) {
    synchronized (waiting) {
      waiting.addLast(event);
    }
    run();
  }

  /** Holds back all events but the one that is running. */
  void hold() {
    synchronized (waiting) {
      held = true;
    }
  }

  /** Goes on: first with what was decided, then with the events that have waited. */
  void release(Runnable first) {
    prepare(first);
    run();
  }

  /** Lets {@link #run} and the next event go on as {@link #release} does. */
  void prepare(Runnable first) {
    synchronized (waiting) {
      waiting.addFirst(first);
      held = false;
    }
  }

  /** Runs the events that may run, unless another thread does. */
  void run() {
    synchronized (waiting) {
      if (running) {
        return;
      }
      running = true;
    }
    boolean completed = false;
    try {
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
      completed = true;
    } finally {
      if (!completed) {
        stop();
      }
    }
  }

  /** Returns null, and lets other threads run events, if there is none that may run. */
  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = held ? null : waiting.pollFirst();
      running = next != null;
      return next;
    }
  }

  private void stop() {
    synchronized (waiting) {
      running = false;
    }
  }
}
