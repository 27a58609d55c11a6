package io.weir.internal.server.command;

import io.weir.InvalidSettingException;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.settings.BootstrapSettings;
import io.weir.rules.Rules;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
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

/** {@code weir-server token}: manages tokens in the database, whether a server runs or not. */
@Command(
    name = "token",
    description = "Creates, lists and revokes access tokens.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(new | list | revoke)")
final class TokenCommand implements Runnable {
  private static final int FAILED = 1;
  private static final Pattern LIFETIME = Pattern.compile("(\\d{1,5})([hd])");

  private final Supplier<BootstrapSettings> settings;
  private final Ticker ticker;
  private final PrintStream out;

  @Spec private @Nullable CommandSpec spec;

  TokenCommand(Supplier<BootstrapSettings> settings, Ticker ticker, PrintStream out) {
    this.settings = settings;
    this.ticker = ticker;
    this.out = out;
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "Missing subcommand: new, list or revoke");
  }

  @Command(name = "new", description = "Creates a token and prints its secret, once.")
  int create(
      @Option(
              names = "--role",
              required = true,
              description = "weir-admin, weir-view, weir-check, weir-metrics or user.")
          String role,
      @Option(
              names = "--name",
              required = true,
              description = "A name for the token, shown by list.")
          String name,
      @Option(names = "--user", description = "The user whose account the token opens.")
          @Nullable String user,
      @Option(
              names = "--valid",
              description = "Lifetime, such as 12h or 90d. Default: until revoked.")
          @Nullable String valid) {
    Role known =
        Role.of(role)
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "--role must be weir-admin, weir-view, weir-check, weir-metrics or user,"
                            + " not '"
                            + role
                            + "'"));
    if (known == Role.USER && user == null) {
      throw new InvalidSettingException(
          "--role user needs --user, the user whose account the token opens");
    }
    Optional<Instant> end = Optional.ofNullable(valid).map(this::end);
    return onTokens(
        tokens -> {
          NewAccessToken created =
              tokens.create(name, known.text(), Optional.ofNullable(user), end, author());
          out.println("id     " + created.token().id());
          out.println("token  " + created.secret());
          return 0;
        });
  }

  private Instant end(String length) {
    Matcher words = LIFETIME.matcher(length);
    if (!words.matches()) {
      throw new InvalidSettingException(
          "--valid must be a number of hours or days, such as 12h or 90d, not '" + length + "'");
    }
    long number = Long.parseLong(words.group(1));
    return ticker
        .instant()
        .plus(words.group(2).equals("h") ? Duration.ofHours(number) : Duration.ofDays(number));
  }

  @Command(name = "list", description = "Lists all tokens, without their secrets.")
  int list() {
    return onTokens(
        tokens -> {
          Instant now = ticker.instant();
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

  @Command(name = "revoke", description = "Revokes a token and its sessions, within 3 seconds.")
  int revoke(
      @Parameters(paramLabel = "ID", description = "The token's id, as list shows it.") String id) {
    return onTokens(
        tokens -> {
          boolean isRevoked = tokens.revoke(id, author());
          out.println(isRevoked ? "revoked " + id : "no valid token has the id " + id);
          return isRevoked ? 0 : FAILED;
        });
  }

  private static String author() {
    return "command line, " + System.getProperty("user.name", "unknown");
  }

  private int onTokens(ToIntFunction<AccessTokens> work) {
    Map<String, String> overrides = new HashMap<>(settings.get().overrides());
    overrides.put("weir.store", "inprocess:");
    overrides.put("weir.rules.required", "true");
    overrides.put("weir.usage", "false");
    try (Weir weir = Weir.builder().settings(overrides).build()) {
      return work.applyAsInt(Rules.of(weir).orElseThrow().tokens());
    }
  }
}
