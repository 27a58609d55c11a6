package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Executes commands that clients send to open and check connections, such as {@code PING} and
 * {@code SELECT}. Stateless.
 */
final class ConnectionCommands {
  private static final int MAX_CHARACTERS = 64;
  private static final String INFO =
      "# Server\r\nredis_version:"
          + SignInCommands.REDIS_VERSION
          + "\r\nredis_mode:standalone\r\nserver_name:weir\r\n"
          + "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n";

  private ConnectionCommands() {}

  static @Nullable PendingReply ping(CommandArguments args, RespSession session, ReplyWriter out) {
    if (args.count() == 1) {
      out.simple("PONG");
    } else {
      out.bulk(args.bytes(1));
    }
    return null;
  }

  static @Nullable PendingReply echo(CommandArguments args, RespSession session, ReplyWriter out) {
    out.bulk(args.bytes(1));
    return null;
  }

  /** Selects the only database, 0. */
  static @Nullable PendingReply select(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    if (args.number(1, Integer.MIN_VALUE, Integer.MAX_VALUE) != 0) {
      throw CommandException.of("DB index is out of range");
    }
    out.ok();
    return null;
  }

  static @Nullable PendingReply info(CommandArguments args, RespSession session, ReplyWriter out) {
    out.bulk(INFO);
    return null;
  }

  /** Answers {@code CONFIG GET} for the two settings that benchmarks read. */
  static @Nullable PendingReply config(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    String word = args.shown(1, MAX_CHARACTERS).toLowerCase(Locale.ROOT);
    if (!word.equals("get")) {
      throw CommandException.of("unknown subcommand '" + word + "'");
    }
    if (args.count() < 3) {
      throw CommandTable.wrongNumber("config|get");
    }
    boolean save = false;
    boolean appendonly = false;
    for (int i = 2; i < args.count(); i++) {
      String name = args.shown(i, MAX_CHARACTERS).toLowerCase(Locale.ROOT);
      save |= name.equals("save");
      appendonly |= name.equals("appendonly");
    }
    out.map((save ? 1 : 0) + (appendonly ? 1 : 0));
    if (save) {
      out.bulk("save");
      out.bulk("");
    }
    if (appendonly) {
      out.bulk("appendonly");
      out.bulk("no");
    }
    return null;
  }

  static @Nullable PendingReply reset(CommandArguments args, RespSession session, ReplyWriter out) {
    session.reset();
    out.protocol(session.protocol());
    out.simple("RESET");
    return null;
  }

  static @Nullable PendingReply quit(CommandArguments args, RespSession session, ReplyWriter out) {
    session.end();
    out.ok();
    return null;
  }
}
