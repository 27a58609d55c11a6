package io.weir.benchmarks.day;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Schedules the requests of users.
 *
 * <p>Visits are under way from the beginning, as on any other moment of a day.
 *
 * <p>Confine to one thread.
 */
final class Visits {
  static final int USERS = 10_000_000;
  private static final int BUSY_USERS = USERS / 5;
  private static final double OF_BUSY_USERS = 0.8;
  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;
  private static final double MEAN = (SHORTEST + LONGEST) / 2.0;
  private static final double GAP_NANOS = 2e9;
  private static final double OF_ROBOTS = 0.01;
  private static final double ROBOT_GAP_NANOS = 2e8;

  private final PriorityQueue<Visit> underWay = new PriorityQueue<>();
  private final SplittableRandom random;
  private final double nanosBetween;
  private double nextVisit;
  private int robots;

  /** One visit, and when its next request is due. */
  static final class Visit implements Comparable<Visit> {
    private final int user;
    private final String name;
    private final double gapNanos;
    private double due;
    private int left;

    private Visit(int user, double gapNanos, double due, int left) {
      this.user = user;
      this.name = "user-" + user;
      this.gapNanos = gapNanos;
      this.due = due;
      this.left = left;
    }

    int user() {
      return user;
    }

    String name() {
      return name;
    }

    @Override
    public int compareTo(Visit other) {
      return Double.compare(due, other.due);
    }
  }

  /**
   * Those of one of several threads, which share the load.
   *
   * @param seed the same for the same visits
   * @param share of the load that is theirs
   * @param perSecond requests of all threads together
   */
  Visits(long seed, double share, double perSecond, long from) {
    this.random = new SplittableRandom(seed);
    double mine = share * perSecond * (1 - OF_ROBOTS);
    this.nanosBetween = 1e9 * MEAN / mine;
    this.nextVisit = from + between();
    for (long i = atLeast(mine * GAP_NANOS / 1e9); i > 0; i--) {
      underWay.add(halfway(from));
    }
    for (long i = atLeast(share * perSecond * OF_ROBOTS * ROBOT_GAP_NANOS / 1e9); i > 0; i--) {
      robots++;
      int user = (int) (USERS + (seed << 10) + robots);
      double due = from + random.nextDouble() * ROBOT_GAP_NANOS;
      underWay.add(new Visit(user, ROBOT_GAP_NANOS, due, Integer.MAX_VALUE));
    }
  }

  // So that parts add up over many threads.
  private long atLeast(double number) {
    return (long) Math.floor(number + random.nextDouble());
  }

  private double between() {
    return -Math.log(1 - random.nextDouble()) * nanosBetween;
  }

  // A moment of a day finds long visits more often than short ones.
  private Visit halfway(long from) {
    int length = length();
    while (random.nextInt(LONGEST) >= length) {
      length = length();
    }
    double due = from + random.nextDouble() * GAP_NANOS;
    return new Visit(user(), GAP_NANOS, due, 1 + random.nextInt(length));
  }

  private int length() {
    return random.nextInt(SHORTEST, LONGEST + 1);
  }

  private int user() {
    return random.nextDouble() < OF_BUSY_USERS
        ? random.nextInt(BUSY_USERS)
        : random.nextInt(BUSY_USERS, USERS);
  }

  /** Returns when the next request is due, by {@link System#nanoTime}. */
  long due() {
    Visit first = underWay.peek();
    return (long) (first == null ? nextVisit : Math.min(nextVisit, first.due));
  }

  /** Returns the user of the next request, and moves on. */
  Visit next() {
    Visit visit = underWay.peek();
    if (visit == null || nextVisit < visit.due) {
      visit = new Visit(user(), GAP_NANOS, nextVisit, length());
      nextVisit += between();
    } else {
      underWay.remove();
    }
    visit.due += visit.gapNanos * (0.5 + random.nextDouble());
    visit.left--;
    if (visit.left > 0) {
      underWay.add(visit);
    }
    return visit;
  }
}
