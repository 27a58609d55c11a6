package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.ReservedUserNames;
import io.weir.rules.AccessToken;
import io.weir.rules.AccessTokens;
import io.weir.rules.ConflictException;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.NewAccessToken;
import io.weir.rules.RuleProblem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The rows of {@code weir_access_tokens}. */
final class StoredTokens implements AccessTokens {
  private static final int SHORTEST = 32;

  private final RuleDatabase database;
  private final AccessMemory memory;
  private final InstantSource clock;
  private final AccessRoom room;
  private final FirstToken first;

  StoredTokens(RuleDatabase database, AccessMemory memory, InstantSource clock, AccessRoom room) {
    this.database = database;
    this.memory = memory;
    this.clock = clock;
    this.room = room;
    this.first = new FirstToken(database);
  }

  @Override
  public NewAccessToken create(
      String name,
      String role,
      Optional<String> userId,
      Optional<Instant> validUntil,
      String author) {
    String secret = Secret.make();
    Map<String, String> columns = columns(name, role, secret);
    userId.ifPresent(user -> columns.put(TokenRow.USER, named(user)));
    validUntil.ifPresent(end -> columns.put(TokenRow.VALID_UNTIL, end.toString()));
    StoredRow row = database.insert(RuleTable.TOKENS, columns, author);
    room.readAgain();
    return new NewAccessToken(TokenRow.read(row), secret);
  }

  @Override
  public Optional<NewAccessToken> createFirst(String name, String role, String author) {
    String secret = Secret.make();
    if (!first.insert(columns(name, role, secret), author)) {
      return Optional.empty();
    }
    room.readAgain();
    return database
        .find(RuleTable.TOKENS, Secret.hash(secret))
        .map(row -> new NewAccessToken(TokenRow.read(row), secret));
  }

  @Override
  public boolean adopt(String name, String role, String secret, String author) {
    if (secret.length() < SHORTEST
        || secret.length() > Secret.LONGEST
        || secret.chars().anyMatch(each -> each <= ' ')) {
      throw new IllegalArgumentException(
          "a token has 32 to 512 characters, and no white space among them");
    }
    Map<String, String> columns = columns(name, role, secret);
    if (database.find(RuleTable.TOKENS, Secret.hash(secret)).isPresent()) {
      return false;
    }
    try {
      first.close(author);
      database.insert(RuleTable.TOKENS, columns, author);
    } catch (ConflictException another) {
      return false; // a node that has started at the same time
    }
    room.readAgain();
    return true;
  }

  private static String named(String user) {
    if (user.isBlank() || ReservedUserNames.isReserved(user)) {
      throw invalid(TokenRow.USER, user.isBlank() ? "must not be blank" : ReservedUserNames.RULE);
    }
    return user;
  }

  private static InvalidRuleException invalid(String column, String rule) {
    return new InvalidRuleException(
        List.of(new RuleProblem(RuleTable.TOKENS.tableName(), "a new token", column, rule, false)));
  }

  private static Map<String, String> columns(String name, String role, String secret) {
    if (name.isBlank() || role.isBlank()) {
      throw invalid(name.isBlank() ? TokenRow.NAME : TokenRow.ROLE, "must be given");
    }
    Map<String, String> columns = new HashMap<>();
    columns.put(TokenRow.HASH, Secret.hash(secret));
    columns.put(TokenRow.NAME, name);
    columns.put(TokenRow.ROLE, role);
    return columns;
  }

  @Override
  public List<AccessToken> all() {
    return database.all(RuleTable.TOKENS).stream()
        .map(TokenRow::read)
        .sorted(
            Comparator.comparing((AccessToken each) -> each.createdAt().orElse(Instant.EPOCH))
                .thenComparing(AccessToken::id))
        .toList();
  }

  @Override
  public boolean revoke(String id, String author) {
    Instant now = clock.instant();
    boolean isRevoked = false;
    for (StoredRow row : database.all(RuleTable.TOKENS)) {
      AccessToken token = TokenRow.read(row);
      if (token.id().equals(id) && token.isValid(now)) {
        end(row, now, author);
        isRevoked = true;
      }
    }
    if (isRevoked) {
      room.readAgain();
    }
    return isRevoked;
  }

  /** The row stays, so that nobody brings the same secret again. */
  private void end(StoredRow row, Instant now, String author) {
    StoredRow seen = row;
    while (true) {
      Map<String, String> columns = new HashMap<>(seen.columns());
      columns.put(TokenRow.VALID_UNTIL, now.toString());
      try {
        database.update(seen, columns, author);
        return;
      } catch (ConflictException usedJustNow) {
        Optional<StoredRow> again = database.find(RuleTable.TOKENS, row.key());
        if (again.isEmpty()) {
          return;
        }
        seen = again.get();
      }
    }
  }

  @Override
  public Optional<AccessToken> find(String secret) {
    return memory.token(secret);
  }

  @Override
  public CompletionStage<Optional<AccessToken>> findSoon(String secret) {
    return room.findSoon(secret, memory::token);
  }

  @Override
  public boolean areRead() {
    return room.isRead();
  }
}
