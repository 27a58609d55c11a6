package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Executes {@code CLIENT …}, for the connection itself only. Stateless. */
final class ClientCommand {
  private static final int MAX_CHARACTERS = 64;

  private ClientCommand() {}

  static @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    String word = args.shown(1, MAX_CHARACTERS).toLowerCase(Locale.ROOT);
    switch (word) {
      case "id" -> {
        exactly(args, 2, word);
        out.number(session.id());
      }
      case "getname" -> {
        exactly(args, 2, word);
        if (session.name().isEmpty()) {
          out.nil();
        } else {
          out.bulk(session.name());
        }
      }
      case "info", "list" -> out.bulk(session.describe());
      case "setname" -> {
        exactly(args, 3, word);
        session.name(name(args, 2));
        out.ok();
      }
      case "setinfo" -> {
        exactly(args, 4, word);
        setInfo(args, session);
        out.ok();
      }
      case "no-evict", "no-touch" -> {
        exactly(args, 3, word);
        out.ok();
      }
      default -> throw CommandException.of("unknown subcommand '" + word + "'");
    }
    return null;
  }

  private static void exactly(CommandArguments args, int count, String word)
      throws CommandException {
    if (args.count() != count) {
      throw CommandTable.wrongNumber("client|" + word);
    }
  }

  private static void setInfo(CommandArguments args, RespSession session) throws CommandException {
    String value = name(args, 3);
    switch (args.shown(2, MAX_CHARACTERS).toLowerCase(Locale.ROOT)) {
      case "lib-name" -> session.library(value);
      case "lib-ver" -> session.libraryVersion(value);
      default -> throw CommandException.of("unknown attribute; use lib-name or lib-ver");
    }
  }

  /** Reads the name that a client gives itself: short, without blanks and line breaks. */
  static String name(CommandArguments args, int index) throws CommandException {
    String name = args.text(index);
    if (name.length() > MAX_CHARACTERS) {
      throw CommandException.of("a name may have at most " + MAX_CHARACTERS + " characters");
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) <= ' ' || name.charAt(i) >= Byte.MAX_VALUE) {
        throw CommandException.of("a name must have printable characters only, and no blanks");
      }
    }
    return name;
  }
}
