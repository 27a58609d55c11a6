package io.weir.benchmarks.day;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VisitsTest {
  private static final double PER_SECOND = 1_000;
  private static final double SECONDS = 200;

  /** When whose requests were due, in seconds. */
  private final Map<Integer, List<Double>> requests = requests();

  private static Map<Integer, List<Double>> requests() {
    Map<Integer, List<Double>> requests = new HashMap<>();
    Visits visits = new Visits(7, 1, PER_SECOND, 0);
    while (visits.due() < SECONDS * 1e9) {
      double due = visits.due() / 1e9;
      requests.computeIfAbsent(visits.next().user(), any -> new ArrayList<>()).add(due);
    }
    return requests;
  }

  private static boolean robot(int user) {
    return user >= Visits.USERS;
  }

  private long count() {
    return requests.values().stream().mapToLong(List::size).sum();
  }

  @Test
  void comeAsOftenAsTheyAreWanted() {
    assertEquals(PER_SECOND * SECONDS, (double) count(), 0.03 * PER_SECOND * SECONDS);
  }

  @Test
  void areAsManyFromTheBeginning() {
    long early =
        requests.values().stream().flatMap(List::stream).filter(due -> due < SECONDS / 10).count();
    assertEquals(PER_SECOND * SECONDS / 10, (double) early, 0.1 * PER_SECOND * SECONDS / 10);
  }

  @Test
  void aFifthOfTheUsersMakesFourFifthsOfTheRequests() {
    double busy =
        requests.entrySet().stream()
            .filter(each -> each.getKey() < Visits.USERS / 5)
            .mapToLong(each -> each.getValue().size())
            .sum();
    assertEquals(0.8, busy / count(), 0.02);
  }

  @Test
  void aVisitHasFiveToThirtyRequestsOneToThreeSecondsApart() {
    int whole = 0;
    for (Map.Entry<Integer, List<Double>> each : requests.entrySet()) {
      List<Double> due = each.getValue();
      // A visitor that was there from the beginning or comes late is seen for a part of its visit.
      if (robot(each.getKey()) || due.get(0) < 3 || due.get(0) > SECONDS - 90) {
        continue;
      }
      whole++;
      double length = due.get(due.size() - 1) - due.get(0);
      assertTrue(due.size() >= 5 && due.size() <= 60, due::toString);
      assertTrue(due.size() > 30 || length >= due.size() - 1, due::toString);
    }
    assertTrue(whole > 1_000, "only " + whole);
  }

  @Test
  void robotsAskForThreeTimesTheirLimitAndMakeAHundredthOfTheRequests() {
    double ofRobots = 0;
    int robots = 0;
    for (Map.Entry<Integer, List<Double>> each : requests.entrySet()) {
      if (robot(each.getKey())) {
        robots++;
        ofRobots += each.getValue().size();
      }
    }
    assertEquals(3.0 * Nodes.PER_MINUTE / 60, ofRobots / robots / SECONDS, 0.2);
    assertEquals(0.01, ofRobots / count(), 0.005);
  }

  @Test
  void areTheSameForTheSameSeed() {
    assertEquals(requests, requests());
  }
}
