package io.weir.compat.redis.fault;

import io.weir.compat.redis.fault.Frame.Kind;
import java.io.IOException;
import java.io.InputStream;

/** Redis's: faults strike calls of scripts. */
final class RedisWire implements Wire {
  private final Frames commands;
  private final Frames replies;

  RedisWire(InputStream commands, InputStream replies) {
    this.commands = new Frames(commands);
    this.replies = new Frames(replies);
  }

  @Override
  public Frame command() throws IOException {
    byte[] command = commands.next();
    return new Frame(command, Frames.runsScript(command) ? Kind.CALL : Kind.OTHER);
  }

  @Override
  public Frame reply() throws IOException {
    byte[] reply = replies.next();
    return new Frame(reply, Frames.isPush(reply) ? Kind.ASIDE : Kind.OTHER);
  }

  /** Returns the length of the second word: what ends the first one, Redis never looks at. */
  @Override
  public int softSpot(byte[] command) {
    int found = 0;
    for (int at = 0; at < command.length; at++) {
      found += command[at] == '$' ? 1 : 0;
      if (found == 2) {
        return at;
      }
    }
    return 0;
  }
}
