package io.weir.internal.rules.feed;

import io.weir.internal.rules.rulebook.Rulebook;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The rulebook in force. It is replaced whole, so that a request sees either the old or the new
 * one.
 *
 * <p>Safe for concurrent use.
 */
public final class CurrentRulebook {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Rulebook rulebook;

  public CurrentRulebook(Rulebook first) {
    this.rulebook = first;
  }

  /** Returns the rulebook in force: one volatile read. */
  public Rulebook get() {
    return rulebook;
  }

  /**
   * Adds a listener.
   *
   * @param listener run after each change, in the thread that makes it; returns at once
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Puts another rulebook in force, and runs the listeners. */
  public void replace(Rulebook next) {
    rulebook = next;
    listeners.forEach(Runnable::run);
  }
}
