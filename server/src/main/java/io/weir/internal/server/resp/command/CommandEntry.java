package io.weir.internal.server.resp.command;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An entry of the command table. Immutable.
 *
 * @param name the name, in lower case
 * @param least the fewest arguments, including the name
 * @param beforeSignIn whether it may be used before a sign-in
 * @param keyed whether the first argument is a key
 */
record CommandEntry(
    String name, int least, int most, boolean beforeSignIn, boolean keyed, Command command) {
  /** As many arguments as a client may send. */
  static final int MANY = Integer.MAX_VALUE;

  /** Returns the name in the form in which arguments are compared with it. */
  byte[] letters() {
    return letters(name);
  }

  static byte[] letters(String word) {
    return word.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the arity as Redis defines it: a negative number means at least so many. */
  int arity() {
    return least == most ? least : -least;
  }
}
