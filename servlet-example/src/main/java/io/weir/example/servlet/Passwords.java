package io.weir.example.servlet;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords, and counts how often. An application compares hashes of its database instead,
 * which costs more.
 */
final class Passwords {
  private static final LongAdder COMPARED = new LongAdder();

  private Passwords() {}

  /**
   * Returns whether it is the password of a user, which is the user's name. Case makes no
   * difference to a name, as the limits count it.
   */
  static boolean isRight(@Nullable String user, @Nullable String password) {
    COMPARED.increment();
    return user != null && user.toLowerCase(Locale.ROOT).equals(password);
  }

  /** Returns how many were compared in this process. */
  static long compared() {
    return COMPARED.sum();
  }
}
