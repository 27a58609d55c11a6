package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All commands, found by name in any case, without making a text of what was received.
 *
 * <p>Immutable.
 */
public final class CommandTable {
  private static final int SIZE = 256;
  private static final int SHOWN = 64;

  private final @Nullable Slot[] slots = new Slot[SIZE];
  private final List<CommandEntry> entries;

  /** The commands whose hashes lead here, the most usual case being one. */
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

  /** All of them, in the order in which they were given. */
  List<CommandEntry> entries() {
    return entries;
  }

  /** The command that a word names; null if there is none. */
  @Nullable CommandEntry find(CommandArguments args, int index) {
    for (Slot slot = slots[place(args.hash(index))]; slot != null; slot = slot.next) {
      if (args.is(index, slot.name)) {
        return slot.entry;
      }
    }
    return null;
  }

  /** The same for a list of words. */
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
   * @param args with its name
   * @param session the connection it came by
   * @param out where the reply is written, if it is known at once
   * @return the reply if it isn't known yet; else null
   * @throws CommandException if it can't be executed; the reply says why, and none was written
   */
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    CommandEntry entry = find(args, 0);
    if (!session.mayCheck() && (entry == null || !entry.forStrangers())) {
      throw CommandException.withCode("NOAUTH Authentication required.");
    }
    if (entry == null) {
      throw CommandException.of("unknown command '" + args.shown(0, SHOWN) + "'");
    }
    if (args.count() < entry.least() || args.count() > entry.most()) {
      throw wrongNumber(entry.name());
    }
    return entry.command().execute(args, session, out);
  }

  /** For a command or one of its own: {@code client|setname}. */
  static CommandException wrongNumber(String name) {
    return CommandException.of("Wrong number of arguments for '" + name + "' command");
  }
}
