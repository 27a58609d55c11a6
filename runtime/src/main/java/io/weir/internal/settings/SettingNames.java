package io.weir.internal.settings;

import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.access.AccessSubject;
import io.weir.annotation.Priority;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RefusalFormat;
import io.weir.internal.value.VariableNames;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Defines the names of all settings and the syntax of their values.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code weir.enabled}</td><td>whether requests and woven methods are
 *     limited; {@code Weir.limiter()} is in any case: true</td></tr>
 * <tr><td>{@code weir.config}</td><td>the file of settings: {@code weir.properties} in the working
 *     directory</td></tr>
 * <tr><td>{@code weir.headers}</td><td>the header fields that inform callers of their limits: a {@link HeaderDialect} in lower case with {@code -} for {@code _}; {@code both}</td></tr>
 * <tr><td>{@code weir.refusal.body}</td><td>the standard body of a refusal: a {@link RefusalFormat} in lower case; {@code problem}</td></tr>
 * <tr><td>{@code weir.store}</td><td>the address of the store: {@code inprocess:}</td></tr>
 * <tr><td>{@code weir.store.max-buckets}</td><td>the most buckets that the store in this process holds, 1 to 100,000,000</td></tr>
 * <tr><td>{@code weir.store.timeout}</td><td>the longest wait of a decision for the store, 1 ms to 10 s: 100 ms</td></tr>
 * <tr><td>{@code weir.store.start-timeout}</td><td>the longest wait of the start for a shared store, 1 ms to 1 min: 2 s</td></tr>
 * <tr><td>{@code weir.store.nodes}</td><td>the number of nodes among which a limit is divided while the store can't be reached, until the store has reported the number: 1</td></tr>
 * <tr><td>{@code weir.store.reserve}</td><td>the percentage of each limit that is reserved for nodes that can't reach the store, 0 to 90: 0</td></tr>
 * <tr><td>{@code weir.store.<scheme>.<any>}</td><td>settings of a kind of store, which its module declares</td></tr>
 * <tr><td>{@code weir.write-back.flush-interval}</td><td>the interval at which leases are topped up and idle permits given back, 10 ms to 10 s: 100 ms</td></tr>
 * <tr><td>{@code weir.write-back.max-buckets}</td><td>the most buckets whose leases are cached, 1 to 100,000,000: 100,000</td></tr>
 * <tr><td>{@code weir.write-back.leases-for-slow-callers}</td><td>whether permits are also leased for infrequent callers, for up to an eighth of a window: true</td></tr>
 * <tr><td>{@code weir.prefix}</td><td>the prefix of the keys in a shared store, which keeps applications apart: {@code weir}</td></tr>
 * <tr><td>{@code weir.secret}</td><td>the secret that callers' keys are hashed with before they are sent to a shared store; the same on all nodes</td></tr>
 * <tr><td>{@code weir.region}</td><td>the name of the region in which this node runs, if the application runs in several: letters in lower case, digits and {@code -}</td></tr>
 * <tr><td>{@code weir.region.<name>.store}</td><td>the address of another region's store</td></tr>
 * <tr><td>{@code weir.region.<name>.store.<any>}</td><td>settings of that store, as {@code weir.store.<any>}: its time-out, 1 s, and those of its kind</td></tr>
 * <tr><td>{@code weir.regions.mode}</td><td>how regions keep a limit together: {@code eventual} or {@code shares}</td></tr>
 * <tr><td>{@code weir.regions.interval}</td><td>the time between two reports to another region, 100 ms to 1 min: 1 s</td></tr>
 * <tr><td>{@code weir.regions.shares}</td><td>the percentage of each limit that each region counts in mode {@code shares}: {@code eu@60,us@40}</td></tr>
 * <tr><td>{@code weir.on-store-failure}</td><td>how to decide while the store can't be reached: {@code local}, {@code open} or {@code closed}</td></tr>
 * <tr><td>{@code weir.proxy.trusted}</td><td>addresses and blocks of trusted proxies, separated by
 *     commas</td></tr>
 * <tr><td>{@code weir.proxy.header}</td><td>the header in which proxies report addresses: {@code X-Forwarded-For} or {@code Forwarded}</td></tr>
 * <tr><td>{@code weir.ipv6.prefix}</td><td>the number of bits of an IPv6 address that identify a caller: 64</td></tr>
 * <tr><td>{@code weir.access.deny}, {@code .allow}</td><td>callers that are denied, or let through: the texts of {@link AccessSubject}s, separated by commas</td></tr>
 * <tr><td>{@code weir.access.file}</td><td>a file of such entries, one a line</td></tr>
 * <tr><td>{@code weir.access.key}</td><td>the key expression that entries by key are compared with: that of {@code weir.rules.caller}</td></tr>
 * <tr><td>{@code weir.bans.max}</td><td>the most bans of one policy that a node has, and a database keeps: 10,000</td></tr>
 * <tr><td>{@code weir.load.capacity}</td><td>the number of requests in flight that counts as full load</td></tr>
 * <tr><td>{@code weir.load.low}, {@code .normal}, {@code .critical}</td><td>the percentage of the limit that policies of a priority keep under a load: {@code 60:100,80:0} for low</td></tr>
 * <tr><td>{@code weir.body.max-bytes}</td><td>the longest body that is read for policies, 1 to 1,048,576 bytes: 65,536</td></tr>
 * <tr><td>{@code weir.body.max-depth}</td><td>the most objects and arrays within each other in such a body, 1 to 500: 32</td></tr>
 * <tr><td>{@code weir.body.timeout}</td><td>the longest time to read such a body, 1 ms to 1 min: 5 s</td></tr>
 * <tr><td>{@code weir.body.at-once}</td><td>the number of bodies read at once, a tenth of it for one address, 1 to 1,000,000: 200</td></tr>
 * <tr><td>{@code weir.body.unreadable}</td><td>how requests are treated whose body can't be read for a policy: {@code refuse} or {@code missing}</td></tr>
 * <tr><td>{@code weir.jaxrs.auto}</td><td>whether implementations of JAX-RS that look for features limit resource methods unasked: true</td></tr>
 * <tr><td>{@code weir.zone}</td><td>the time zone of windows of weeks, months and years whose policy names none: {@code UTC}</td></tr>
 * <tr><td>{@code weir.cost.<METHOD>}</td><td>permits per request of an HTTP method</td></tr>
 * <tr><td>{@code weir.cost.defaults}</td><td>whether methods without a cost of their own have the usual one: false</td></tr>
 * <tr><td>{@code weir.default.<member>}</td><td>the policy of endpoints that have none</td></tr>
 * <tr><td>{@code weir.application.<member>}</td><td>one policy for all endpoints together</td></tr>
 * <tr><td>{@code weir.policy.<name>.<member>}</td><td>overrides a member of a policy, or makes a
 *     policy for the paths that its {@code url} names</td></tr>
 * </table>
 *
 * <p>An environment variable is spelled in upper case with {@code _} for everything but letters and
 * digits: {@code WEIR_POLICY_HELLO_HELLO_LIMIT}. So a variable can't name a tier that the policy's
 * annotation doesn't have; set such a tier in another place. Names that begin with {@code
 * weir.test.} or {@code WEIR_TEST_} are ignored.
 */
public final class SettingNames {
  /** The prefix of the settings of one policy; its name and a member follow. */
  public static final String POLICY = "weir.policy.";

  /** The prefix of the settings of the default policy; a member follows. */
  public static final String DEFAULT = "weir.default.";

  /** The prefix of the settings of the one policy of the application; a member follows. */
  public static final String APPLICATION = "weir.application.";

  /** The name of the one policy that settings under {@link #APPLICATION} make. */
  public static final String APPLICATION_POLICY = "application";

  /** The prefix of the costs by HTTP method; the method follows. */
  public static final String COST = "weir.cost.";

  /** The setting for whether methods without a cost have those of {@link #DEFAULT_COSTS}. */
  public static final String COST_DEFAULTS = COST + "defaults";

  /** The costs of requests by method where {@link #COST_DEFAULTS} is true; other methods cost 1. */
  public static final Map<String, Long> DEFAULT_COSTS =
      Map.of("GET", 1L, "POST", 5L, "PUT", 5L, "DELETE", 10L);

  /** The prefix of the member for one tier's limit; the tier's name follows. */
  public static final String TIER = "tier.";

  /** The prefix of the member for one tier's refill; the tier's name follows. */
  public static final String TIER_REFILL = "tier-refill.";

  /** The member for the paths that a policy leaves out. */
  public static final String EXCEPT = "except";

  /** The prefix of the settings of another region; its name and those of its store follow. */
  public static final String REGION = "weir.region.";

  /** The setting for the time zone of calendar windows whose policy names none. */
  public static final String ZONE = "weir.zone";

  public static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

  private static final Duration SHORTEST_FLUSH = Duration.ofMillis(10);
  private static final Duration LONGEST_FLUSH = Duration.ofSeconds(10);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_START = Duration.ofMinutes(1);
  private static final Duration SHORTEST_REPORT = Duration.ofMillis(100);
  private static final String REGION_NAME = "[a-z0-9-]{1,32}";
  private static final Pattern OF_REGION =
      Pattern.compile("weir\\.region\\.(" + REGION_NAME + ")(\\.store(?:\\..+)?)");
  private static final Pattern OF_MISNAMED_REGION =
      Pattern.compile("weir\\.region\\.(.+?)\\.store(?:\\..+)?");
  private static final Pattern VARIABLE_OF_REGION = // of us-store, too
      Pattern.compile("WEIR_REGION_([A-Z0-9_]{1,32}?)_STORE(?!_STORE(?:_|$))((?:_.+)?)");
  private static final String REGION_TIMEOUT = "weir.store.timeout";
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9-]*");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final Pattern STORE = Pattern.compile("weir\\.store\\.([^.]+)\\..+");
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
    PLAIN.put(
        "weir.prefix", ValueSyntax.matching(PREFIX, "must be 1 to 64 letters, digits and . _ : -"));
    PLAIN.put("weir.secret", ValueSyntax.text());
    PLAIN.put(
        "weir.region",
        ValueSyntax.matching(
            Pattern.compile("(?!(?:true|false)$)" + REGION_NAME),
            "must be 1 to 32 of the letters a-z, digits and -, and neither true nor false, as YAML"
                + " reads no and on without quotes"));
    PLAIN.put("weir.regions.mode", ValueSyntax.words("eventual", "shares"));
    PLAIN.put("weir.regions.interval", ValueSyntax.duration(SHORTEST_REPORT, LONGEST_START));
    PLAIN.put(
        "weir.regions.shares",
        ValueSyntax.list(
            ValueSyntax.matching(
                Pattern.compile(REGION_NAME + "@[1-9][0-9]?"),
                "must be regions and percentages, 1 to 99, such as eu@40,us@40,ap@20")));
    PLAIN.put("weir.on-store-failure", ValueSyntax.words("local", "open", "closed"));
    PLAIN.put("weir.proxy.trusted", ValueSyntax.text());
    PLAIN.put("weir.proxy.header", ValueSyntax.text());
    PLAIN.put("weir.ipv6.prefix", ValueSyntax.number(1, 128));
    PLAIN.put("weir.access.deny", ValueSyntax.list(AccessSubject::parse));
    PLAIN.put("weir.access.allow", ValueSyntax.list(AccessSubject::parse));
    PLAIN.put("weir.access.file", ValueSyntax.text());
    PLAIN.put("weir.access.key", ValueSyntax.text());
    PLAIN.put("weir.bans.max", ValueSyntax.number(1, 1_000_000));
    PLAIN.put("weir.load.capacity", ValueSyntax.number(1, 10_000_000));
    PLAIN.put("weir.body.max-bytes", ValueSyntax.number(1, 1_048_576));
    PLAIN.put("weir.body.max-depth", ValueSyntax.number(1, 500));
    PLAIN.put("weir.body.timeout", ValueSyntax.duration(SHORTEST_WAIT, LONGEST_START));
    PLAIN.put("weir.body.at-once", ValueSyntax.number(1, 1_000_000));
    PLAIN.put("weir.body.unreadable", ValueSyntax.words("refuse", "missing"));
    PLAIN.put("weir.jaxrs.auto", ValueSyntax.flag());
    PLAIN.put(ZONE, ValueSyntax.zone());
    PLAIN.put(COST_DEFAULTS, ValueSyntax.flag());

    for (Priority each : EnumSet.range(Priority.LOW, Priority.CRITICAL)) {
      PLAIN.put(loadCurve(each), LoadCurve::parse);
    }

    PolicyMembers.ALL.forEach(each -> MEMBERS.put(each.setting(), each.syntax()));
    MEMBERS.put("url", ValueSyntax.list(ValueSyntax.urlPattern()));
    MEMBERS.put(EXCEPT, ValueSyntax.list(ValueSyntax.exceptedPath()));
  }

  private SettingNames() {}

  /** Returns the members of a policy by their names in settings, without tiers. */
  public static List<String> members() {
    return List.copyOf(MEMBERS.keySet());
  }

  /** Names the load curve of a priority other than {@link Priority#NONE}. */
  static String loadCurve(Priority priority) {
    return "weir.load." + priority.name().toLowerCase(Locale.ROOT);
  }

  /** Returns all fixed names: those that don't contain the name of a policy, tier or store. */
  static List<String> fixed() {
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

  /** Returns the region that a setting of another region's store belongs to. */
  static Optional<String> regionOf(String name) {
    Matcher matcher = OF_REGION.matcher(name);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns the region that an environment variable of another region's store belongs to. */
  static Optional<String> regionOfVariable(String variable) {
    Matcher matcher = VARIABLE_OF_REGION.matcher(variable);
    return matcher.matches()
        ? Optional.of(matcher.group(1).toLowerCase(Locale.ROOT).replace('_', '-'))
        : Optional.empty();
  }

  /**
   * Returns the name of a region in a setting that would be known if regions could have that name.
   */
  static Optional<String> misnamedRegion(String name) {
    Matcher matcher = OF_MISNAMED_REGION.matcher(name);
    return matcher.matches() && regionOf(name).isEmpty()
        ? Optional.of(matcher.group(1))
        : Optional.empty();
  }

  /**
   * Returns the setting of the own store that says the same as one of another region's store; the
   * name itself if it isn't one of those.
   */
  static String asOfOwnStore(String name) {
    Matcher matcher = OF_REGION.matcher(name);
    return matcher.matches() ? "weir" + matcher.group(2) : name;
  }

  /** Returns the settings that each other region's store may have. */
  static List<String> ofRegion(String region, Set<String> declared) {
    return Stream.concat(
            Stream.of("weir.store", REGION_TIMEOUT),
            declared.stream().filter(each -> storeKind(each).isPresent()))
        .map(each -> REGION + region + each.substring("weir".length()))
        .toList();
  }

  /** Does the same for an environment variable. */
  static String asOfOwnStoreVariable(String variable) {
    return VARIABLE_OF_REGION.matcher(variable).replaceFirst("WEIR_STORE$2");
  }

  /** Returns whether an environment variable may be a setting of a kind of store. */
  static boolean isOfStore(String variable) {
    return asOfOwnStoreVariable(variable).matches("WEIR_STORE_[A-Z0-9]+_.+");
  }

  /** Returns the prefix of the environment variables of a kind of store. */
  static String storeVariable(String kind) {
    return VariableNames.of("weir.store." + kind + ".");
  }

  static boolean isOurs(String name) {
    return name.startsWith("weir.") && !name.startsWith("weir.test.");
  }

  /**
   * Returns the kind of store in a name below {@code weir.store.<kind>.}; empty for other names.
   */
  static Optional<String> storeKind(String name) {
    Matcher matcher = STORE.matcher(name);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /**
   * Returns the syntax of a setting; empty if there is no setting of this name, or it is one of a
   * kind of store.
   */
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
    if (name.startsWith(REGION)) {
      String own = asOfOwnStore(name);
      return own.equals("weir.store") || own.equals(REGION_TIMEOUT)
          ? Optional.ofNullable(PLAIN.get(own))
          : Optional.empty();
    }
    if (name.startsWith(COST) && !name.equals(COST_DEFAULTS)) {
      boolean known = METHOD.matcher(name.substring(COST.length())).matches();
      return known ? Optional.of(ValueSyntax.number(1, Policy.MAX_LIMIT)) : Optional.empty();
    }
    return Optional.ofNullable(PLAIN.get(name));
  }

  /**
   * Returns the name of the policy that a setting belongs to: the part between {@link #POLICY} and
   * the member; empty if it belongs to none.
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

  /**
   * Returns the name of the policy in a setting that would be known if policies could have that
   * name; empty if they can, or the setting is unknown for another reason.
   */
  static Optional<String> misnamedPolicy(String name) {
    if (!name.startsWith(POLICY) || policyOf(name).isPresent()) {
      return Optional.empty();
    }
    String rest = name.substring(POLICY.length());
    int member = memberAt(rest);
    return member > 0 ? Optional.of(rest.substring(0, member)) : Optional.empty();
  }

  /**
   * Returns the index of the dot before the member: the last one, since names of policies have
   * dots.
   */
  private static int memberAt(String rest) {
    int dot = rest.lastIndexOf('.');
    boolean known = dot > 0 && MEMBERS.containsKey(rest.substring(dot + 1));
    return known
        ? dot
        : Math.max(rest.lastIndexOf("." + TIER), rest.lastIndexOf("." + TIER_REFILL));
  }

  private static Optional<ValueSyntax<?>> member(String member) {
    for (String prefix : List.of(TIER, TIER_REFILL)) {
      if (member.startsWith(prefix)) {
        boolean known = BucketSpec.isName(member.substring(prefix.length()));
        return known ? Optional.of(ValueSyntax.number(1, Policy.MAX_LIMIT)) : Optional.empty();
      }
    }
    return Optional.ofNullable(MEMBERS.get(member));
  }
}
