package io.weir.compat.redis.fault;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads one connection in the language of its server: one thread the commands, another the replies.
 */
interface Wire {
  /** A language. */
  interface Language {
    /** Begins to read a connection. */
    Wire read(InputStream commands, InputStream replies);
  }

  /**
   * Returns the next command as it came.
   *
   * @throws java.io.EOFException if there is none, or only a part of one
   */
  Frame command() throws IOException;

  /**
   * Returns the next reply as it came. Answers come in the order of their commands.
   *
   * @throws java.io.EOFException if there is none, or only a part of one
   */
  Frame reply() throws IOException;

  /** Returns where a wrong byte is noticed only when the server has begun to read the command. */
  int softSpot(byte[] command);
}
