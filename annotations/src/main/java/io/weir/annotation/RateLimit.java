package io.weir.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/**
 * Limits how often a caller may use an endpoint: at most {@link #limit()} permits per {@link
 * #window()}.
 *
 * <pre>{@code
 * @GET
 * @RateLimit(limit = 100, window = 60, by = USER, mode = SOFT)
 * @RateLimit(limit = 1000, window = 1, unit = HOURS, by = IP)
 * public List<Hit> search(@QueryParam("q") String q) { … }
 * }</pre>
 *
 * <p><b>On a method</b> it limits that method. <b>On a class</b> it makes one policy, named after
 * the class, whose bucket is shared by all endpoints of the class that have no limit of their own;
 * {@link Unlimited} exempts a method. <b>On an annotation type</b> it makes a composed annotation,
 * which limits like this one.
 *
 * <p><b>Repeated</b>, all must admit. Policies that need no user are decided before authentication,
 * those by {@link By#USER} after it. Each phase is all or nothing: if one policy refuses, none is
 * charged. A refusal in the second phase refunds the first.
 *
 * <p><b>Inherited</b> like the annotations of JAX-RS: a method without any takes those of the
 * method that it overrides in a superclass, else of the one that it implements in an interface.
 *
 * <p>A mistake (a limit of 0, a SOFT limit that can't exceed, two policies of one name that differ)
 * stops the application at start-up with a message that names class, method, member, value and
 * rule. Settings named {@code weir.policy.<name>.<member>} override members without a rebuild.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(RateLimits.class)
public @interface RateLimit {
  /**
   * The permits per window.
   *
   * @return 1 to 1,000,000,000
   */
  long limit();

  /**
   * The length of the window in {@link #unit()}.
   *
   * @return 10 milliseconds to 366 days, in {@link #unit()}s; of a calendar window 1, or 1, 2, 3, 4
   *     or 6 months
   */
  long window();

  /**
   * The unit of {@link #window()}: MILLIS, SECONDS, MINUTES, HOURS or DAYS, and by the calendar
   * WEEKS, MONTHS or YEARS; any other is an error at start-up.
   *
   * <p>A <b>calendar window</b> begins at midnight in its {@link #zone()}: a week on Monday, three
   * months with January, April and so on, a year on January 1. A day is 24 hours long, and a
   * calendar day only with a zone.
   *
   * @return seconds by default
   */
  ChronoUnit unit() default ChronoUnit.SECONDS;

  /**
   * The time zone of a calendar window.
   *
   * @return {@code Europe/Berlin}, {@code UTC} or {@code +01:00}; if empty, the zone of the setting
   *     {@code weir.zone}, UTC unless set
   */
  String zone() default "";

  /**
   * The way to identify callers; several form one composite key.
   *
   * @return the address of the caller by default; at least one, none twice
   */
  By[] by() default {By.IP};

  /**
   * The texts that {@link By#KEY} reads: {@code header:X-Api-Key}, {@code query:user}, {@code
   * path:tenant}, {@code cookie:sid}, {@code param:phone} (a parameter of the method, for the
   * aspect), or the name of a registered {@code KeyResolver}. Several form one key.
   *
   * @return the expressions; required with {@code by = KEY}, an error without it
   */
  String[] key() default {};

  /**
   * The behaviour at the limit.
   *
   * @return HARD by default
   */
  Mode mode() default Mode.HARD;

  /**
   * The excess above the limit that SOFT and ELASTIC admit; with the bucket algorithms, above the
   * burst. Rounded down to whole permits; with SOFT an excess that rounds to nothing is an error.
   *
   * @return percent of the limit, 0 to 1000; without effect with HARD
   */
  int exceedBy() default 10;

  /**
   * The way permits are counted over time.
   *
   * @return at most one; by default SLIDING_WINDOW, or FIXED_WINDOW for a calendar window, which
   *     supports no other
   */
  Algorithm[] algorithm() default {};

  /**
   * The permits that may be used at once with {@link Algorithm#TOKEN_BUCKET} (0: {@link #limit()})
   * or {@link Algorithm#LEAKY_BUCKET} (0: one).
   *
   * @return 0 to 1,000,000,000; an error other than 0 with the window algorithms
   */
  long burst() default 0;

  /**
   * The permits that a {@link Algorithm#TOKEN_BUCKET} gets back at once after each whole {@link
   * #window()}. The bucket holds {@link #limit()}; the first request to a full bucket starts the
   * window. So {@code limit = 10, refill = 1, window = 1, unit = HOURS} allows ten at once, and one
   * more each hour. Under another limit, such as that of a tier, it is as many in proportion,
   * rounded down, and at least 1, unless the {@linkplain Tier#refill() tier} names its own.
   *
   * @return 1 up to the limit; 0: the whole limit comes back evenly within a window
   */
  long refill() default 0;

  /**
   * Whether a refusal restarts the wait for the next {@link #refill()}, so that a caller is refused
   * until it pauses for a whole window. Only with {@link Mode#HARD}.
   *
   * @return true to make callers pause
   */
  boolean strict() default false;

  /**
   * The permits that one request takes. If it is 1, the settings {@code weir.cost.<METHOD>} may set
   * another cost for each HTTP method.
   *
   * @return 1 up to the permits at once: the limit, or the burst of a bucket algorithm
   */
  long cost() default 1;

  /**
   * The source of the request's cost: an expression as in {@link #key()}, such as {@code
   * query:amount}, or the name of a registered {@code CostResolver}. It overrides {@link #cost()}
   * and {@code weir.cost.<METHOD>}.
   *
   * <p>The text must be a number of up to 15 digits, up to 9 of them after a decimal point, and is
   * rounded up to whole permits. A request in which it is missing, is repeated, isn't a valid
   * number, or exceeds the caller's burst is answered with 400 and not charged. A request that
   * costs 0 is always admitted.
   *
   * @return an expression or a name; empty: the cost doesn't depend on the request
   */
  String costFrom() default "";

  /**
   * The condition under which the policy applies: the name of a registered {@code
   * RequestCondition}. Other requests ignore the policy. Such a policy is decided after
   * authentication, unless the condition says that it needs no user.
   *
   * @return a name; empty: all requests
   */
  String when() default "";

  /**
   * The priority by which the policy reduces its limit while its node is busy.
   *
   * @return NONE by default
   */
  Priority priority() default Priority.NONE;

  /**
   * The requests that count.
   *
   * @return all by default
   */
  Count count() default Count.ALL;

  /**
   * Selects what makes the policy forget its failures. {@code SUCCESS} is the usual meaning of
   * "five wrong passwords in a row". It needs {@code count = FAILURES} and {@code by = KEY}, with a
   * key that holds the account: else an attacker with one valid account could clear the failures at
   * all others. It stands at the method that checks the password, or has a {@code when}: else an
   * answer to another request of the class would clear them.
   *
   * @return NOTHING by default
   */
  ClearOn clearOn() default ClearOn.NOTHING;

  /**
   * Other limits for the callers of some tiers. The application's {@code TierResolver} determines
   * the tier of a caller; without a tier, or with one that isn't listed, {@link #limit()} applies.
   * A caller keeps its bucket, and so its count, when its tier changes.
   *
   * @return the tiers, each name once
   */
  Tier[] tiers() default {};

  /**
   * The permits that a cluster may admit ahead of the shared store, so that a caller that isn't
   * cached needn't wait for it. Without effect if the store is in this process.
   *
   * @return percent of the limit, 0 to 100; 0: none
   */
  int overshoot() default 0;

  /**
   * The way a node decides while the shared store can't be reached.
   *
   * @return by default the value of the setting {@code weir.on-store-failure}
   */
  OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

  /**
   * The reach of the limit in an application that runs in several regions ({@code weir.region}).
   * Without regions both are the same.
   *
   * @return one limit for all regions by default
   */
  Scope scope() default Scope.GLOBAL;

  /**
   * Whether to decide, measure and log without refusing any request.
   *
   * @return true for a dry run
   */
  boolean shadow() default false;

  /**
   * The strikes after which a caller is banned: until the ban ends, its requests are answered with
   * 429, whatever permits it has. {@link #banOn()} says what a strike is. Strikes are counted over
   * all nodes, up to a second late, so a few more than these may pass.
   *
   * <p>A ban is of the policy's whole key, which must hold an address or a user: the policy is by
   * {@link By#IP} or {@link By#USER}, perhaps together with KEY. Else anybody could ban others.
   *
   * @return 1 to 1,000,000; 0: no bans
   */
  long banAfter() default 0;

  /**
   * The time within which {@link #banAfter()} strikes lead to a ban, in {@link #unit()}.
   *
   * @return 1 second to 366 days, in {@link #unit()}s; 0: the window
   */
  long banWithin() default 0;

  /**
   * The length of a caller's first ban, in {@link #unit()}. Each further ban lasts twice as long as
   * the one before, up to {@link #banAtMost()}; and half as long again for each {@link
   * #banAtMost()} that has passed since.
   *
   * @return 1 second to 366 days, in {@link #unit()}s; 0: as long as {@link #banWithin()}
   */
  long banFor() default 0;

  /**
   * The length of the longest ban, in {@link #unit()}.
   *
   * @return {@link #banFor()} to 366 days, in {@link #unit()}s; 0: sixteen times {@link #banFor()},
   *     at most 366 days
   */
  long banAtMost() default 0;

  /**
   * Selects what counts as a strike: {@code REFUSALS} or statuses of responses, such as {@code
   * 401}; both may stand together.
   *
   * <ul>
   *   <li>REFUSALS: a refusal by this policy before the {@code Retry-After} of an earlier one to
   *       the same caller. So a caller that waits for {@code Retry-After} gets no strikes.
   *   <li>A status: the response of the application itself has it. Weir's own refusals don't count,
   *       nor do responses to an OPTIONS without credentials, such as a browser's preflight. For a
   *       woven method it is the response to the request that calls it.
   * </ul>
   *
   * @return at least one, none twice; statuses from 400 to 599
   */
  String[] banOn() default "REFUSALS";

  /**
   * Selects what a banned caller is kept out of.
   *
   * @return the endpoints of this policy by default
   */
  BanScope banScope() default BanScope.POLICY;

  /**
   * The policy's name in headers, metrics and settings. By default {@code Search.search} for the
   * method {@code search} of the class {@code Search}, {@code Search} for the class; repeated
   * annotations append their key and window ({@code Search.search.ip-1h}). Policies of the same
   * name share their buckets and must be equal.
   *
   * @return {@code [A-Za-z0-9._-]{1,64}}, or empty for the default
   */
  String name() default "";
}
