package io.weir.internal.settings;

import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.annotation.Priority;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RefusalFormat;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The names of all settings, and how their values are written.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code weir.enabled}</td><td>whether anything is limited at all: true</td></tr>
 * <tr><td>{@code weir.config}</td><td>the file of settings: {@code weir.properties} in the working
 *     directory</td></tr>
 * <tr><td>{@code weir.headers}</td><td>the header fields that tell callers of their limits: a
 *     {@link HeaderDialect} in lower case with {@code -} for {@code _}; {@code both}</td></tr>
 * <tr><td>{@code weir.refusal.body}</td><td>the standard documents of refusals: a {@link
 *     RefusalFormat} in lower case; {@code problem}</td></tr>
 * <tr><td>{@code weir.store}</td><td>the address of the store: {@code inprocess:}</td></tr>
 * <tr><td>{@code weir.store.max-buckets}</td><td>how many buckets the store in this process
 *     holds, 1 to 100,000,000</td></tr>
 * <tr><td>{@code weir.store.timeout}</td><td>how long a decision waits for the store,
 *     1 ms to 10 s: 100 ms</td></tr>
 * <tr><td>{@code weir.store.start-timeout}</td><td>how long the start may wait for a shared store
 *     and what it needs, 1 ms to 1 min: 2 s</td></tr>
 * <tr><td>{@code weir.store.nodes}</td><td>among how many nodes a limit is divided while the store
 *     is away, until the store has told how many live: 1</td></tr>
 * <tr><td>{@code weir.store.reserve}</td><td>percent of each limit that is kept back for nodes that
 *     can't ask the store, 0 to 90: 0</td></tr>
 * <tr><td>{@code weir.store.<scheme>.<any>}</td><td>what the provider of a store reads</td></tr>
 * <tr><td>{@code weir.write-back.flush-interval}</td><td>how often leases are topped up and idle
 *     permits given back, 10 ms to 10 s: 100 ms</td></tr>
 * <tr><td>{@code weir.write-back.max-buckets}</td><td>of how many buckets leases are cached, 1 to
 *     100,000,000: 100,000</td></tr>
 * <tr><td>{@code weir.write-back.leases-for-slow-callers}</td><td>whether permits are also leased
 *     for callers who come seldom, up to an eighth of a window: true</td></tr>
 * <tr><td>{@code weir.prefix}</td><td>what the keys in a shared store begin with, so that two
 *     applications never meet there: {@code weir}</td></tr>
 * <tr><td>{@code weir.secret}</td><td>what the callers' keys are hashed with before they reach a
 *     shared store; the same on all nodes</td></tr>
 * <tr><td>{@code weir.on-store-failure}</td><td>{@code local}, {@code open} or {@code
 *     closed}</td></tr>
 * <tr><td>{@code weir.proxy.trusted}</td><td>addresses and blocks of trusted proxies, separated by
 *     commas</td></tr>
 * <tr><td>{@code weir.proxy.header}</td><td>{@code X-Forwarded-For} or {@code
 *     Forwarded}</td></tr>
 * <tr><td>{@code weir.ipv6.prefix}</td><td>how many bits of an IPv6 address count: 64</td></tr>
 * <tr><td>{@code weir.load.capacity}</td><td>how many requests in flight count as full
 *     load</td></tr>
 * <tr><td>{@code weir.load.low}, {@code .normal}, {@code .critical}</td><td>how much of their limit
 *     policies of a priority keep under a load: {@code 60:100,80:0} for low</td></tr>
 * <tr><td>{@code weir.zone}</td><td>the time zone of windows of weeks, months and years that name
 *     none: {@code UTC}</td></tr>
 * <tr><td>{@code weir.cost.<METHOD>}</td><td>permits per request of an HTTP method</td></tr>
 * <tr><td>{@code weir.cost.defaults}</td><td>whether methods cost what is usual</td></tr>
 * <tr><td>{@code weir.default.<member>}</td><td>the policy of endpoints without any</td></tr>
 * <tr><td>{@code weir.application.<member>}</td><td>one policy for all endpoints together</td></tr>
 * <tr><td>{@code weir.policy.<name>.<member>}</td><td>overrides a member of a policy, or makes a
 *     policy for the paths that its {@code url} names</td></tr>
 * </table>
 *
 * <p>An environment variable is spelled in upper case with {@code _} for everything but letters and
 * digits: {@code WEIR_POLICY_HELLO_HELLO_LIMIT}. So no variable can name a tier that the policy's
 * annotation doesn't; write such a one in another place. What begins with {@code weir.test.} or
 * {@code WEIR_TEST_} belongs to nobody and is left alone.
 */
public final class SettingNames {
  /** What the settings of one policy begin with; its name and a member follow. */
  public static final String POLICY = "weir.policy.";

  /** What the settings of the default policy begin with; a member follows. */
  public static final String DEFAULT = "weir.default.";

  /** What the settings of the application's one policy begin with; a member follows. */
  public static final String APPLICATION = "weir.application.";

  /** The name of the one policy that settings under {@link #APPLICATION} make. */
  public static final String APPLICATION_POLICY = "application";

  /** What the costs by HTTP method begin with; the method follows. */
  public static final String COST = "weir.cost.";

  /** Whether methods whose cost isn't set have those of {@link #DEFAULT_COSTS}. */
  public static final String COST_DEFAULTS = COST + "defaults";

  /** What requests cost by method where {@link #COST_DEFAULTS} is true; the others cost 1. */
  public static final Map<String, Long> DEFAULT_COSTS =
      Map.of("GET", 1L, "POST", 5L, "PUT", 5L, "DELETE", 10L);

  /** What the member for one tier's limit begins with; the tier's name follows. */
  public static final String TIER = "tier.";

  /** The time zone of windows of the calendar that name none. */
  public static final String ZONE = "weir.zone";

  /** The methods of HTTP that everybody knows. */
  public static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

  private static final Duration SHORTEST_FLUSH = Duration.ofMillis(10);
  private static final Duration LONGEST_FLUSH = Duration.ofSeconds(10);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_START = Duration.ofMinutes(1);
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9-]*");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final Pattern STORE = Pattern.compile("weir\\.store\\.[^.]+\\..+");
  private static final Map<String, ValueSyntax<?>> PLAIN = new TreeMap<>();
  private static final Map<String, ValueSyntax<?>> MEMBERS = new TreeMap<>();

  static {
    PLAIN.put("weir.enabled", ValueSyntax.flag());
    PLAIN.put("weir.config", ValueSyntax.text());
    PLAIN.put("weir.headers", ValueSyntax.choice(HeaderDialect.class));
    PLAIN.put("weir.refusal.body", ValueSyntax.choice(RefusalFormat.class));
    PLAIN.put("weir.store", ValueSyntax.text());
    PLAIN.put("weir.store.max-buckets", ValueSyntax.number(1, 100_000_000));
    PLAIN.put("weir.store.timeout", ValueSyntax.duration(SHORTEST_WAIT, LONGEST_WAIT));
    PLAIN.put("weir.store.start-timeout", ValueSyntax.duration(SHORTEST_WAIT, LONGEST_START));
    PLAIN.put("weir.store.nodes", ValueSyntax.number(1, 1_000_000));
    PLAIN.put("weir.store.reserve", ValueSyntax.number(0, 90));
    PLAIN.put(
        "weir.write-back.flush-interval", ValueSyntax.duration(SHORTEST_FLUSH, LONGEST_FLUSH));
    PLAIN.put("weir.write-back.max-buckets", ValueSyntax.number(1, 100_000_000));
    PLAIN.put("weir.write-back.leases-for-slow-callers", ValueSyntax.flag());
    PLAIN.put("weir.prefix", ValueSyntax.matching(PREFIX));
    PLAIN.put("weir.secret", ValueSyntax.text());
    PLAIN.put("weir.on-store-failure", ValueSyntax.words("local", "open", "closed"));
    PLAIN.put("weir.proxy.trusted", ValueSyntax.text());
    PLAIN.put("weir.proxy.header", ValueSyntax.text());
    PLAIN.put("weir.ipv6.prefix", ValueSyntax.number(1, 128));
    PLAIN.put("weir.load.capacity", ValueSyntax.number(1, 10_000_000));
    PLAIN.put(ZONE, ValueSyntax.zone());
    PLAIN.put(COST_DEFAULTS, ValueSyntax.flag());

    for (Priority each : EnumSet.range(Priority.LOW, Priority.CRITICAL)) {
      PLAIN.put(loadCurve(each), LoadCurve::parse);
    }

    PolicyMembers.ALL.forEach(each -> MEMBERS.put(each.setting(), each.syntax()));
    MEMBERS.put("url", ValueSyntax.list(ValueSyntax.urlPattern()));
  }

  private SettingNames() {}

  /**
   * The members of a policy as settings spell them, without tiers.
   *
   * @return {@code limit}, {@code window}, {@code exceed-by} and so on
   */
  public static List<String> members() {
    return List.copyOf(MEMBERS.keySet());
  }

  /**
   * The environment variable of a setting.
   *
   * @param name the setting
   * @return its name in upper case, {@code _} for everything but letters and digits
   */
  public static String variable(String name) {
    StringBuilder variable = new StringBuilder(name.toUpperCase(Locale.ROOT));
    for (int at = 0; at < variable.length(); at++) {
      char letter = variable.charAt(at);
      if ((letter < 'A' || letter > 'Z') && (letter < '0' || letter > '9')) {
        variable.setCharAt(at, '_');
      }
    }
    return variable.toString();
  }

  /** Names the load curve of a priority other than {@link Priority#NONE}. */
  static String loadCurve(Priority priority) {
    return "weir.load." + priority.name().toLowerCase(Locale.ROOT);
  }

  /** The names that are whole: all but those with the name of a policy, tier or store in them. */
  static List<String> whole() {
    List<String> names = new ArrayList<>(PLAIN.keySet());
    METHODS.forEach(method -> names.add(COST + method));
    MEMBERS.keySet().stream()
        .filter(member -> !member.equals("url"))
        .forEach(
            member -> {
              names.add(DEFAULT + member);
              names.add(APPLICATION + member);
            });
    return names;
  }

  /** Whether an environment variable may be what the provider of a store reads. */
  static boolean isOfStore(String variable) {
    return variable.matches("WEIR_STORE_[A-Z0-9]+_.+");
  }

  static boolean isOurs(String name) {
    return name.startsWith("weir.") && !name.startsWith("weir.test.");
  }

  /** How the value of a name is written; nothing if there is no such name. */
  static Optional<ValueSyntax<?>> syntax(String name) {
    if (name.startsWith(POLICY)) {
      return policyOf(name)
          .flatMap(policy -> member(name.substring(POLICY.length() + policy.length() + 1)));
    }
    for (String prefix : List.of(DEFAULT, APPLICATION)) {
      if (name.startsWith(prefix)) {
        String member = name.substring(prefix.length());
        return member.equals("url") ? Optional.empty() : member(member);
      }
    }
    if (name.startsWith(COST) && !name.equals(COST_DEFAULTS)) {
      boolean known = METHOD.matcher(name.substring(COST.length())).matches();
      return known ? Optional.of(ValueSyntax.number(1, Policy.MAX_LIMIT)) : Optional.empty();
    }
    return STORE.matcher(name).matches()
        ? Optional.of(ValueSyntax.text())
        : Optional.ofNullable(PLAIN.get(name));
  }

  /**
   * The policy that a setting speaks of.
   *
   * @param name a setting
   * @return the part between {@link #POLICY} and the member; nothing if it speaks of none
   */
  public static Optional<String> policyOf(String name) {
    if (!name.startsWith(POLICY)) {
      return Optional.empty();
    }
    String rest = name.substring(POLICY.length());
    int member = memberAt(rest);
    return member > 0 && BucketSpec.isName(rest.substring(0, member))
        ? Optional.of(rest.substring(0, member))
        : Optional.empty();
  }

  /** Where the dot before the member is. Policies' names have dots too, so it is the last one. */
  private static int memberAt(String rest) {
    int dot = rest.lastIndexOf('.');
    boolean known = dot > 0 && MEMBERS.containsKey(rest.substring(dot + 1));
    return known ? dot : rest.lastIndexOf("." + TIER);
  }

  private static Optional<ValueSyntax<?>> member(String member) {
    if (member.startsWith(TIER)) {
      boolean known = BucketSpec.isName(member.substring(TIER.length()));
      return known ? Optional.of(ValueSyntax.number(1, Policy.MAX_LIMIT)) : Optional.empty();
    }
    return Optional.ofNullable(MEMBERS.get(member));
  }
}
