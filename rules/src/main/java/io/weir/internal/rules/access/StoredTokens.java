package io.weir.internal.rules.access;

import io.weir.Ticker;
import io.weir.internal.rules.database.ReservedUserNames;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Creates, finds and revokes access tokens: the rows of {@code weir_access_tokens}. */
final class StoredTokens implements AccessTokens {
  private static final int MIN_LENGTH = 32;

  private final RuleDatabase database;
  private final Ticker ticker;
  private final CredentialCache cache;
  private final TokenBootstrap first;

  StoredTokens(RuleDatabase database, CredentialCache cache, Ticker ticker) {
    this.database = database;
    this.ticker = ticker;
    this.cache = cache;
    this.first = new TokenBootstrap(database);
  }

  @Override
  public NewAccessToken create(
      String name,
      String role,
      Optional<String> userId,
      Optional<Instant> validUntil,
      String author) {
    String secret = AccessSecret.make();
    Map<String, String> columns = columns(name, role, secret);
    userId.ifPresent(user -> columns.put(TokenColumns.USER, validUser(user)));
    validUntil.ifPresent(end -> columns.put(TokenColumns.VALID_UNTIL, end.toString()));
    StoredRow row = database.insert(RuleTable.TOKENS, columns, author);
    cache.reload();
    return new NewAccessToken(TokenColumns.read(row), secret);
  }

  @Override
  public Optional<NewAccessToken> createFirst(String name, String role, String author) {
    String secret = AccessSecret.make();
    if (!first.insert(columns(name, role, secret), author)) {
      return Optional.empty();
    }
    cache.reload();
    return database
        .find(RuleTable.TOKENS, AccessSecret.hash(secret))
        .map(row -> new NewAccessToken(TokenColumns.read(row), secret));
  }

  @Override
  public boolean adopt(String name, String role, String secret, String author) {
    if (secret.length() < MIN_LENGTH
        || secret.length() > AccessSecret.MAX_LENGTH
        || secret.chars().anyMatch(each -> each <= ' ')) {
      throw new IllegalArgumentException(
          "an access token must have 32 to 512 characters, none of them white space");
    }
    Map<String, String> columns = columns(name, role, secret);
    if (database.find(RuleTable.TOKENS, AccessSecret.hash(secret)).isPresent()) {
      return false;
    }
    try {
      first.preclude(author);
      database.insert(RuleTable.TOKENS, columns, author);
    } catch (ConflictException another) {
      return false; // a node that started at the same time has added it
    }
    cache.reload();
    return true;
  }

  private static String validUser(String user) {
    if (user.isBlank() || ReservedUserNames.isReserved(user)) {
      throw invalid(
          TokenColumns.USER, user.isBlank() ? "must not be blank" : ReservedUserNames.RULE);
    }
    return user;
  }

  private static InvalidRuleException invalid(String column, String rule) {
    return new InvalidRuleException(
        List.of(new RuleProblem(RuleTable.TOKENS.tableName(), "a new token", column, rule, false)));
  }

  private static Map<String, String> columns(String name, String role, String secret) {
    if (name.isBlank() || role.isBlank()) {
      throw invalid(name.isBlank() ? TokenColumns.NAME : TokenColumns.ROLE, "must not be blank");
    }
    Map<String, String> columns = new HashMap<>();
    columns.put(TokenColumns.HASH, AccessSecret.hash(secret));
    columns.put(TokenColumns.NAME, name);
    columns.put(TokenColumns.ROLE, role);
    return columns;
  }

  @Override
  public List<AccessToken> all() {
    return database.all(RuleTable.TOKENS).stream()
        .map(TokenColumns::read)
        .sorted(
            Comparator.comparing((AccessToken each) -> each.createdAt().orElse(Instant.EPOCH))
                .thenComparing(AccessToken::id))
        .toList();
  }

  @Override
  public boolean revoke(String id, String author) {
    Instant now = ticker.instant();
    boolean isRevoked = false;
    for (StoredRow row : database.all(RuleTable.TOKENS)) {
      AccessToken token = TokenColumns.read(row);
      if (token.id().equals(id) && token.isValid(now)) {
        expire(row, now, author);
        isRevoked = true;
      }
    }
    if (isRevoked) {
      cache.reload();
    }
    return isRevoked;
  }

  /** Ends the token but keeps its row, so that the same secret can't be adopted again. */
  private void expire(StoredRow row, Instant now, String author) {
    StoredRow seen = row;
    while (true) {
      Map<String, String> columns = new HashMap<>(seen.columns());
      columns.put(TokenColumns.VALID_UNTIL, now.toString());
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
    return cache.token(secret);
  }

  @Override
  public CompletionStage<Optional<AccessToken>> findSoon(String secret) {
    return cache.findSoon(secret, cache::token);
  }

  @Override
  public boolean areRead() {
    return cache.isLoaded();
  }
}
