package io.weir.internal.server.resp.command;

import io.weir.Policy;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the arguments of {@code WEIR.CHECK}. Their values are validated when the request is
 * decided.
 *
 * <p>Confine to one thread.
 */
final class CheckOptions {
  private static final byte[] METHOD = CommandEntry.letters("METHOD");
  private static final byte[] IP = CommandEntry.letters("IP");
  private static final byte[] APIKEY = CommandEntry.letters("APIKEY");
  private static final byte[] TIER = CommandEntry.letters("TIER");
  private static final byte[] COST = CommandEntry.letters("COST");
  private static final byte[] ATTR = CommandEntry.letters("ATTR");

  private static final int FIRST = 3;

  private final CommandArguments args;
  private @Nullable String method;
  private @Nullable String ip;
  private @Nullable String apiKey;
  private @Nullable String tier;
  private @Nullable Long cost;
  private @Nullable Map<String, String> attributes;

  private CheckOptions(CommandArguments args) {
    this.args = args;
  }

  /**
   * Reads the request that a client describes.
   *
   * @throws CommandException if an option is unknown, incomplete or repeated
   */
  static CheckRequest read(CommandArguments args) throws CommandException {
    CheckOptions options = new CheckOptions(args);
    int at = FIRST;
    while (at < args.count()) {
      at += options.read(at);
    }
    String user = args.text(1);
    return new CheckRequest(
        user.isEmpty() ? null : user,
        options.apiKey,
        options.ip,
        args.text(2),
        options.method,
        options.tier,
        options.cost,
        null,
        options.attributes);
  }

  /** Reads an option; returns the number of its arguments, including its name. */
  private int read(int at) throws CommandException {
    if (at + 1 == args.count()) {
      throw CommandException.syntax();
    }
    if (args.is(at, METHOD)) {
      method = once(method, args.text(at + 1));
    } else if (args.is(at, IP)) {
      ip = once(ip, args.text(at + 1));
    } else if (args.is(at, APIKEY)) {
      apiKey = once(apiKey, args.text(at + 1));
    } else if (args.is(at, TIER)) {
      tier = once(tier, args.text(at + 1));
    } else if (args.is(at, COST)) {
      cost = once(cost, args.number(at + 1, 1, Policy.MAX_LIMIT));
    } else if (args.is(at, ATTR) && at + 2 < args.count()) {
      addAttribute(args.text(at + 1), args.text(at + 2));
      return 3;
    } else {
      throw CommandException.syntax();
    }
    return 2;
  }

  private void addAttribute(String name, String value) throws CommandException {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    if (attributes.put(name, value) != null) {
      throw CommandException.syntax();
    }
  }

  private static <T> T once(@Nullable T before, T sent) throws CommandException {
    if (before != null) {
      throw CommandException.syntax();
    }
    return sent;
  }
}
