package io.weir.internal.server.resp.command;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A command by its name. Immutable.
 *
 * @param name in lower case
 * @param least how many arguments it takes at least, its name included
 * @param most how many at most
 * @param forStrangers whether it may be used before a sign-in
 * @param keyed whether the first argument is a key
 * @param command what it does
 */
record CommandEntry(
    String name, int least, int most, boolean forStrangers, boolean keyed, Command command) {
  /** As many as a client may send. */
  static final int MANY = Integer.MAX_VALUE;

  /** The name as arguments are compared with it. */
  byte[] letters() {
    return letters(name);
  }

  static byte[] letters(String word) {
    return word.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
  }

  /** As Redis tells it: a number below zero means so many and more. */
  int arity() {
    return least == most ? least : -least;
  }
}
