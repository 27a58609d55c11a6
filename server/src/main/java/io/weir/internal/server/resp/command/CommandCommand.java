package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code COMMAND …}, which lists the commands.
 *
 * <p>Immutable.
 */
final class CommandCommand implements Command {
  private static final int MEMBERS = 10;
  private static final int MAX_CHARACTERS = 64;

  private final Supplier<CommandTable> table;

  CommandCommand(Supplier<CommandTable> table) {
    this.table = table;
  }

  @Override
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    List<CommandEntry> all = table.get().entries();
    if (args.count() == 1) {
      out.list(all.size());
      all.forEach(each -> describe(each, out));
      return null;
    }
    String word = args.shown(1, MAX_CHARACTERS).toLowerCase(Locale.ROOT);
    switch (word) {
      case "count" -> out.number(all.size());
      case "list" -> {
        out.list(all.size());
        all.forEach(each -> out.bulk(each.name()));
      }
      case "info" -> {
        List<@Nullable CommandEntry> found =
            args.count() == 2 ? List.copyOf(all) : table.get().findAll(args, 2);
        out.list(found.size());
        found.forEach(each -> describe(each, out));
      }
      case "docs" -> docs(args.count() == 2 ? all : known(args), out);
      default -> throw CommandException.of("unknown subcommand '" + word + "'");
    }
    return null;
  }

  private List<CommandEntry> known(CommandArguments args) {
    return table.get().findAll(args, 2).stream()
        .<CommandEntry>mapMulti(
            (each, into) -> {
              if (each != null) {
                into.accept(each);
              }
            })
        .toList();
  }

  /** Writes name, arity, flags and the position of the key; the other members are empty. */
  private static void describe(@Nullable CommandEntry entry, ReplyWriter out) {
    if (entry == null) {
      out.nil();
      return;
    }
    out.list(MEMBERS);
    out.bulk(entry.name());
    out.number(entry.arity());
    out.list(1);
    out.simple("fast");
    int key = entry.keyed() ? 1 : 0;
    out.number(key);
    out.number(key);
    out.number(key);
    for (int i = 0; i < 4; i++) {
      out.list(0);
    }
  }

  private static void docs(List<CommandEntry> entries, ReplyWriter out) {
    out.map(entries.size());
    for (CommandEntry each : entries) {
      out.bulk(each.name());
      out.map(1);
      out.bulk("group");
      out.bulk(each.keyed() ? "rate-limit" : "connection");
    }
  }
}
