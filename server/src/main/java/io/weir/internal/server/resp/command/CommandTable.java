package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds and executes commands by name, in any case of letters, without making strings of the input.
 *
 * <p>Immutable.
 */
public final class CommandTable {
  private static final int SIZE = 256;
  private static final int MAX_SHOWN = 64;

  private final @Nullable Slot[] slots = new Slot[SIZE];
  private final List<CommandEntry> entries;

  /** A command in a slot, linked to the next one of the same slot. */
  private static final class Slot {
    private final byte[] name;
    private final CommandEntry entry;
    private final @Nullable Slot next;

    Slot(byte[] name, CommandEntry entry, @Nullable Slot next) {
      this.name = name;
      this.entry = entry;
      this.next = next;
    }
  }

  CommandTable(List<CommandEntry> all) {
    entries = List.copyOf(all);
    for (CommandEntry entry : entries) {
      byte[] name = entry.letters();
      int place = place(CommandArguments.hash(name));
      slots[place] = new Slot(name, entry, slots[place]);
    }
  }

  private static int place(int hash) {
    return (hash ^ hash >>> 8 ^ hash >>> 16) & SIZE - 1;
  }

  /** Returns all commands, in their original order. */
  List<CommandEntry> entries() {
    return entries;
  }

  /** Finds the command of a name; null if there is none. */
  @Nullable CommandEntry find(CommandArguments args, int index) {
    for (Slot slot = slots[place(args.hash(index))]; slot != null; slot = slot.next) {
      if (args.is(index, slot.name)) {
        return slot.entry;
      }
    }
    return null;
  }

  /** Finds the commands of all names from an index on. */
  List<@Nullable CommandEntry> findAll(CommandArguments args, int from) {
    List<@Nullable CommandEntry> found = new ArrayList<>();
    for (int i = from; i < args.count(); i++) {
      found.add(find(args, i));
    }
    return found;
  }

  /**
   * Executes a command.
   *
   * @throws CommandException if it can't be executed; has the error, and nothing was written
   */
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    CommandEntry entry = find(args, 0);
    if (!session.mayCheck() && (entry == null || !entry.beforeSignIn())) {
      throw CommandException.withCode("NOAUTH Authentication required.");
    }
    if (entry == null) {
      throw CommandException.of("unknown command '" + args.shown(0, MAX_SHOWN) + "'");
    }
    if (args.count() < entry.least() || args.count() > entry.most()) {
      throw wrongNumber(entry.name());
    }
    return entry.command().execute(args, session, out);
  }

  /** Makes the error for a command or a subcommand such as {@code client|setname}. */
  static CommandException wrongNumber(String name) {
    return CommandException.of("Wrong number of arguments for '" + name + "' command");
  }
}
