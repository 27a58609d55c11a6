package io.weir.internal.rules.command;

import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.yaml.RulebookFileException;
import io.weir.internal.rules.yaml.RulebookImportExport;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs {@code export [FILE]} and {@code apply [--dry-run] FILE [--by NAME]}. */
final class RulesCommand {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int MISUSED = 2;

  private static final String USAGE =
      """
      export [FILE]                  writes rules and costs as YAML
      apply --dry-run FILE           shows what applying the file would change
      apply FILE [--by NAME]         changes rules and costs to what the file says
      """;

  private final Function<Boolean, VersionedRowEditor> rows;
  private final PrintStream out;
  private final PrintStream errors;
  private final String user;

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
      String user) {
    this.rows = rows;
    this.out = out;
    this.errors = errors;
    this.user = user;
  }

  /** Runs a command, and returns its exit status. */
  int run(List<String> arguments) {
    try {
      if (arguments.isEmpty()) {
        return misused("a command is missing");
      }
      List<String> rest = arguments.subList(1, arguments.size());
      return switch (arguments.get(0)) {
        case "export" -> export(rest);
        case "apply" -> apply(rest);
        default -> misused("'" + arguments.get(0) + "' is not a command");
      };
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

  private int export(List<String> arguments) throws IOException {
    if (arguments.size() > 1) {
      return misused("export takes at most one file");
    }
    String yaml = new RulebookImportExport(rows.apply(false)).export();
    if (arguments.isEmpty()) {
      out.print(yaml);
    } else {
      Files.writeString(Path.of(arguments.get(0)), yaml);
    }
    return DONE;
  }

  private int apply(List<String> arguments) throws IOException {
    boolean isDry = false;
    String author = user;
    List<String> files = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--dry-run")) {
        isDry = true;
      } else if (argument.equals("--by")) {
        @Nullable String name = ++i < arguments.size() ? arguments.get(i) : null;
        if (name == null) {
          return misused("--by needs a name");
        }
        author = name;
      } else if (argument.startsWith("--")) {
        return misused("unknown option '" + argument + "'");
      } else {
        files.add(argument);
      }
    }
    if (files.size() != 1) {
      return misused("apply takes exactly one file");
    }
    String yaml = Files.readString(Path.of(files.get(0)));
    RulebookImportExport rulebook = new RulebookImportExport(rows.apply(!isDry));
    (isDry ? rulebook.compare(yaml) : rulebook.apply(yaml, author)).forEach(out::println);
    return DONE;
  }

  private int misused(String why) {
    errors.println(why);
    errors.print(USAGE);
    return MISUSED;
  }
}
