"""Widgets that pages share; Streamlit makes no pages of what stands in here."""
