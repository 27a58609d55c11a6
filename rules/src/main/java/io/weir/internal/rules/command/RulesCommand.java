package io.weir.internal.rules.command;

import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.edit.StoredAccessList;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.yaml.RulebookFileException;
import io.weir.internal.rules.yaml.RulebookImportExport;
import io.weir.rules.AccessListRepository;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs commands that export and apply rules, and change the access list. */
final class RulesCommand {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int MISUSED = 2;

  private static final String USAGE =
      """
      export [FILE]                  writes rules and costs as YAML
      apply --dry-run FILE           shows what applying the file would change
      apply FILE [--by NAME]         changes rules and costs to what the file says
      deny SUBJECT [shadow] [until=TIME] [reason=TEXT]
      allow SUBJECT [counted] [shadow] [until=TIME] [reason=TEXT]
                                     adds an entry to the access list
      lift SUBJECT                   deletes the entries and bans of a subject
      entries                        writes the access list, with its bans
      deny, allow and lift take --dry-run and --by NAME as well
      """;

  private final Function<Boolean, VersionedRowEditor> rows;
  private final PrintStream out;
  private final PrintStream errors;
  private final String user;
  private final Ticker ticker;

  /**
   * Prepares to run commands.
   *
   * @param rows opens the database; its argument is whether rows will be changed: commands that
   *     only read don't create or migrate tables
   */
  RulesCommand(
      Function<Boolean, VersionedRowEditor> rows,
      PrintStream out,
      PrintStream errors,
      String user,
      Ticker ticker) {
    this.rows = rows;
    this.out = out;
    this.errors = errors;
    this.user = user;
    this.ticker = ticker;
  }

  /** Runs a command, and returns its exit status. */
  int run(List<String> arguments) {
    try {
      require(!arguments.isEmpty(), "a command is missing");
      run(arguments.get(0), Arguments.of(arguments.subList(1, arguments.size()), user));
      return DONE;
    } catch (MisuseException misuse) {
      errors.println(misuse.getMessage());
      errors.print(USAGE);
      return MISUSED;
    } catch (IOException unreadable) {
      errors.println("the file can't be read or written: " + unreadable);
    } catch (RulebookFileException
        | InvalidRuleException
        | ConflictException
        | RulesUnavailableException failed) {
      errors.println(failed.getMessage());
    }
    return FAILED;
  }

  private void run(String command, Arguments arguments) throws IOException {
    switch (command) {
      case "export" -> export(arguments.words);
      case "apply" -> apply(arguments);
      case "deny", "allow" -> add(command, arguments);
      case "lift" -> lift(arguments);
      case "entries" -> list(arguments.words);
      default -> throw new MisuseException("'" + command + "' is not a command");
    }
  }

  private void export(List<String> words) throws IOException {
    require(words.size() <= 1, "export takes at most one file");
    String yaml = new RulebookImportExport(rows.apply(false)).export();
    if (words.isEmpty()) {
      out.print(yaml);
    } else {
      Files.writeString(Path.of(words.get(0)), yaml);
    }
  }

  private void apply(Arguments arguments) throws IOException {
    require(arguments.words.size() == 1, "apply takes exactly one file");
    String yaml = Files.readString(Path.of(arguments.words.get(0)));
    RulebookImportExport rulebook = new RulebookImportExport(rows.apply(!arguments.isDry));
    (arguments.isDry ? rulebook.compare(yaml) : rulebook.apply(yaml, arguments.author))
        .forEach(out::println);
  }

  private void add(String action, Arguments arguments) {
    require(!arguments.words.isEmpty(), action + " takes a subject, such as 203.0.113.0/24");
    AccessEntry entry = parsed(line(action, arguments.words), AccessEntry::parse);
    accessList(!arguments.isDry).add(entry, arguments.isDry, arguments.author);
  }

  /** The shell has taken away the quotation marks of a subject with blanks. */
  private static String line(String action, List<String> words) {
    List<String> line = new ArrayList<>(words);
    line.add(0, action);
    line.set(1, '"' + words.get(0).replace("\"", "\"\"") + '"');
    return String.join(" ", line);
  }

  private void lift(Arguments arguments) {
    require(arguments.words.size() == 1, "lift takes exactly one subject");
    AccessSubject subject = parsed(arguments.words.get(0), AccessSubject::parse);
    accessList(!arguments.isDry).lift(subject, arguments.isDry, arguments.author);
  }

  private void list(List<String> words) {
    require(words.isEmpty(), "entries takes no arguments");
    accessList(false).list();
  }

  private AccessCommand accessList(boolean isChanged) {
    // Nodes check by the rules of their application, which the command line doesn't have.
    AccessListRepository entries =
        new StoredAccessList(rows.apply(isChanged), List::of, subject -> Optional.empty(), ticker);
    return new AccessCommand(entries, out);
  }

  private static <T> T parsed(String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException wrong) {
      throw new MisuseException("'" + text + "' " + wrong.getMessage());
    }
  }

  private static void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new MisuseException(rule);
    }
  }

  private static final class MisuseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MisuseException(String message) {
      super(message);
    }
  }

  /** The arguments of a command: its options, and the words that aren't options. */
  private record Arguments(List<String> words, boolean isDry, String author) {
    static Arguments of(List<String> arguments, String user) {
      List<String> words = new ArrayList<>();
      boolean isDry = false;
      String author = user;
      for (int i = 0; i < arguments.size(); i++) {
        String argument = arguments.get(i);
        if (argument.equals("--dry-run")) {
          isDry = true;
        } else if (argument.equals("--by")) {
          require(++i < arguments.size(), "--by needs a name");
          author = arguments.get(i);
        } else {
          require(!argument.startsWith("--"), "unknown option '" + argument + "'");
          words.add(argument);
        }
      }
      return new Arguments(words, isDry, author);
    }
  }
}
