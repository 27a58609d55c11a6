package io.weir.internal.ban;

/** Measures strikes and bans; doesn't fail. Safe for concurrent use. */
public interface BanListener {
  /** Measures nothing. */
  BanListener NONE =
      new BanListener() {
        @Override
        public void struck(String policy) {
          // Nothing to do.
        }

        @Override
        public void banned(String policy, boolean isShadow) {
          // Nothing to do.
        }
      };

  void struck(String policy);

  void banned(String policy, boolean isShadow);
}
