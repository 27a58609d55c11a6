package io.weir.internal.server.command;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.settings.StartSettings;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import io.weir.rules.Rules;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir-server token}: works on the database, whether a server is running or not. */
@Command(
    name = "token",
    description = "Makes, lists and revokes access tokens.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(new | list | revoke)")
final class TokenCommand implements Runnable {
  private static final int FAILED = 1;
  private static final Pattern DAYS = Pattern.compile("(\\d{1,5})([hd])");

  private final ServerCommand server;
  private final PrintStream out;

  @Spec private @Nullable CommandSpec spec;

  TokenCommand(ServerCommand server, PrintStream out) {
    this.server = server;
    this.out = out;
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "say new, list or revoke");
  }

  @Command(name = "new", description = "Makes a token and shows its secret, once.")
  int make(
      @Option(
              names = "--role",
              required = true,
              description = "weir-admin, weir-check, weir-metrics or user.")
          String role,
      @Option(names = "--name", required = true, description = "What it is for.") String name,
      @Option(names = "--user", description = "Whose account it opens.") @Nullable String user,
      @Option(names = "--valid", description = "How long: 12h, 90d. Without it: until revoked.")
          @Nullable String valid) {
    Role known =
        Role.of(role)
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "--role: '"
                            + role
                            + "' is none of weir-admin, weir-check, weir-metrics,"
                            + " user"));
    if (known == Role.USER && user == null) {
      throw new InvalidSettingException("--role user needs --user: whose account it opens");
    }
    Optional<Instant> end = Optional.ofNullable(valid).map(TokenCommand::end);
    return onTokens(
        tokens -> {
          NewAccessToken made =
              tokens.create(name, known.text(), Optional.ofNullable(user), end, author());
          out.println("id     " + made.token().id());
          out.println("token  " + made.secret());
          return 0;
        });
  }

  private static Instant end(String length) {
    Matcher words = DAYS.matcher(length);
    if (!words.matches()) {
      throw new InvalidSettingException("--valid must be a number of hours or days: 12h, 90d");
    }
    long number = Long.parseLong(words.group(1));
    return Instant.now()
        .plus(words.group(2).equals("h") ? Duration.ofHours(number) : Duration.ofDays(number));
  }

  @Command(name = "list", description = "Lists all tokens, without their secrets.")
  int list() {
    return onTokens(
        tokens -> {
          Instant now = Instant.now();
          for (AccessToken each : tokens.all()) {
            out.println(line(each, now));
          }
          return 0;
        });
  }

  private static String line(AccessToken token, Instant now) {
    String end =
        token
            .validUntil()
            .map(until -> token.isValid(now) ? "until " + until : "ended " + until)
            .orElse("valid");
    return String.format(
        Locale.ROOT,
        "%-12s  %-12s  %-20s  %-30s  %s%s",
        token.id(),
        token.role(),
        token.userId().orElse("-"),
        end,
        token.name(),
        token.lastUsed().map(used -> "  (last used " + used + ")").orElse(""));
  }

  @Command(name = "revoke", description = "Ends a token and its sessions, within 3 seconds.")
  int revoke(@Parameters(paramLabel = "ID", description = "As list shows it.") String id) {
    return onTokens(
        tokens -> {
          boolean isRevoked = tokens.revoke(id, author());
          out.println(isRevoked ? "revoked " + id : "there is no valid token " + id);
          return isRevoked ? 0 : FAILED;
        });
  }

  private static String author() {
    return "command line, " + System.getProperty("user.name", "unknown");
  }

  private int onTokens(ToIntFunction<AccessTokens> work) {
    StartSettings settings = server.settings();
    Map<String, String> onTop = new HashMap<>(settings.onTop());
    onTop.put("weir.store", "inprocess:");
    onTop.put("weir.rules.required", "true");
    onTop.put("weir.usage", "false");
    try (Weir weir = Weir.builder().settings(onTop).build()) {
      return work.applyAsInt(Rules.of(weir).orElseThrow().tokens());
    }
  }
}
