package io.weir.testkit.load;

import java.util.Random;

/**
 * Where a load sends its requests.
 *
 * <p>Confine to one thread.
 */
public interface Arrivals {
  /**
   * Plans something, unless the load has ended by then.
   *
   * @param micros how much later, 0 and more
   * @param work what is done then
   */
  void after(long micros, Runnable work);

  /**
   * Sends one request, now.
   *
   * @param caller the caller
   */
  void request(Caller caller);

  /**
   * Returns the number of live nodes.
   *
   * @return 1 and more
   */
  int nodes();

  /**
   * Returns the source of chance.
   *
   * @return one of the load's own
   */
  Random random();
}
