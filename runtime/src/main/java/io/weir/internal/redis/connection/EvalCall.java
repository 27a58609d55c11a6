package io.weir.internal.redis.connection;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;

/**
 * One call of a script, and its outcome.
 *
 * <p>Written by the thread that talks to Redis, and read by others once that thread has completed
 * the stage that they wait for.
 */
public final class EvalCall {
  private static final Optional<Failure> UNANSWERED = Optional.of(Failure.away("not answered"));

  private final byte[] sha;
  private final byte[] script;
  private final List<byte[]> keys;
  private final List<byte[]> args;
  private @Nullable Object reply;
  private Optional<Failure> failure = UNANSWERED;

  /**
   * Makes a call that isn't sent yet.
   *
   * @param sha the script's name in Redis
   * @param keys at least one; in a cluster all of one slot
   */
  public EvalCall(byte[] sha, byte[] script, List<byte[]> keys, List<byte[]> args) {
    this.sha = sha;
    this.script = script;
    this.keys = keys;
    this.args = args;
  }

  byte[] sha() {
    return sha;
  }

  /**
   * Returns the command to send: with the name of the script, or with its text, which makes Redis
   * remember it.
   */
  CommandArguments command(boolean inFull) {
    CommandArguments command = new CommandArguments(inFull ? Command.EVAL : Command.EVALSHA);
    command.add(new Uncopied(inFull ? script : sha)).add(keys.size());
    for (byte[] key : keys) {
      command.add(new Uncopied(key));
    }
    for (byte[] arg : args) {
      command.add(new Uncopied(arg));
    }
    return command;
  }

  /** Keeps Jedis from copying the array, as it does with plain arrays. */
  private static final class Uncopied implements Rawable {
    private final byte[] raw;

    Uncopied(byte[] raw) {
      this.raw = raw;
    }

    @Override
    public byte[] getRaw() {
      return raw;
    }
  }

  /** Notes that it is sent, perhaps again. */
  void markSent() {
    failure = UNANSWERED;
  }

  void answer(@Nullable Object answer) {
    reply = answer;
    failure = Optional.empty();
  }

  void fail(Failure why) {
    failure = Optional.of(why);
  }

  boolean hasFailedBy(FailureKind trouble) {
    return failure.isPresent() && failure.get().trouble() == trouble;
  }

  /** Returns nothing if there is a reply. */
  public Optional<Failure> failure() {
    return failure;
  }

  /** Returns byte arrays, numbers and lists of them; meaningful only if there is no failure. */
  public @Nullable Object reply() {
    return reply;
  }
}
