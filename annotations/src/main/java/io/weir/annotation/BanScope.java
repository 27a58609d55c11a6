package io.weir.annotation;

/** Selects what a banned caller is kept out of. */
public enum BanScope {
  /** The endpoints of the policy that made the ban. */
  POLICY,
  /** All endpoints of the application. Only with a policy by exactly IP or exactly USER. */
  APPLICATION
}
