package io.weir.internal.rules.request;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.rules.Rule;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys that rules count one request by.
 *
 * <p>A user, a key and an address are keys of different kinds, so a key that is called like a user
 * never meets that user's bucket. A key of several parts, of expressions or for each endpoint
 * begins with what it is made of: rules of one name that count differently share no bucket.
 *
 * <p>Confine to one thread at a time.
 */
final class RequestKeys {
  private static final List<String> USER = List.of("USER");
  private static final List<String> ADDRESS = List.of("IP");
  private static final List<String> EVERYBODY = List.of("ENDPOINT");

  private final RequestCaller caller;
  private final EndpointRules matched;
  private final Readers readers;
  private final Optional<String> issuer;
  private Map<String, Key> known = Map.of();
  private @Nullable RequestInfo request;

  /** The first failure to read something that rules may need; null if there was none. */
  private @Nullable InvalidRequestException invalid;

  interface Readers {
    /** Returns the address that a request counts by. */
    Key address(RequestInfo request);

    KeyResolver expression(String expression);
  }

  RequestKeys(RequestCaller caller, EndpointRules matched, RequestInfo request, Readers readers) {
    this.caller = caller;
    this.matched = matched;
    this.request = request;
    this.issuer = caller.kind() == RequestCaller.Kind.USER ? request.issuer() : Optional.empty();
    this.readers = readers;
  }

  /** Returns whether the library reads the key of a rule as it reads those of policies. */
  static boolean isPlain(Rule rule, RequestCaller.Kind caller) {
    if (rule.perEndpoint()) {
      return false;
    }
    List<String> by = rule.countBy();
    return by.equals(USER)
        ? caller == RequestCaller.Kind.USER
        : by.equals(ADDRESS) || by.equals(EVERYBODY);
  }

  /** Reads all that rules may need, since the request can't be read later. */
  void readAll(List<CompiledRule> rules) {
    for (CompiledRule each : rules) {
      try {
        of(each.rule());
      } catch (InvalidRequestException unreadable) { // it may be another tier's rule
        if (invalid == null) {
          invalid = unreadable;
        }
      }
    }
    request = null;
  }

  Key of(Rule rule) {
    if (!rule.perEndpoint() && rule.countBy().size() == 1) {
      String only = rule.countBy().get(0);
      Key plain = word(only);
      if (plain != null) {
        return plain;
      }
    }
    String name = String.join("+", rule.countBy()) + (rule.perEndpoint() ? "@" : "");
    return read(name, any -> composite(name, rule));
  }

  private Key composite(String name, Rule rule) {
    List<Key> parts = new ArrayList<>(rule.countBy().size() + 2);
    parts.add(Key.of(name));
    for (String each : rule.countBy()) {
      Key word = word(each);
      parts.add(word == null ? expression(each) : word);
    }
    if (rule.perEndpoint()) {
      parts.add(Key.of(endpoint()));
    }
    return Key.tuple(parts);
  }

  private @Nullable Key word(String countBy) {
    return switch (countBy) {
      case "USER" -> caller();
      case "IP" -> address();
      case "ENDPOINT" -> Key.everybody();
      default -> null;
    };
  }

  private Key caller() {
    return switch (caller.kind()) {
      case USER -> user(Key.user(caller.text()));
      case KEY -> Key.of(caller.text());
      case NOBODY -> address();
    };
  }

  /** Counts users of several issuers apart, as policies by user do. */
  private Key user(Key name) {
    return issuer.isPresent() ? Key.tuple(List.of(name, Key.of(issuer.get()))) : name;
  }

  private Key address() {
    return read("IP", any -> readers.address(request()));
  }

  private Key expression(String text) {
    return read(
        text,
        any -> readers.expression(text).resolve(request()).map(Key::of).orElseGet(this::address));
  }

  // Not computeIfAbsent, since reading one key may read others.
  private Key read(String name, Function<String, Key> reader) {
    Key found = known.get(name);
    if (found == null) {
      found = reader.apply(name);
      if (known.isEmpty()) {
        known = new HashMap<>();
      }
      known.put(name, found);
    }
    return found;
  }

  /** Never a path: callers would choose it, and have a bucket for each. */
  private String endpoint() {
    String mapping = request().mapping();
    return mapping.isEmpty() ? matched.pattern() : mapping;
  }

  private RequestInfo request() {
    if (request == null) {
      throw invalid == null ? new IllegalStateException("the request is finished") : invalid;
    }
    return request;
  }
}
